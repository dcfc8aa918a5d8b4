#include "sm/dependence/dependence_description.h"

#include "sm/dependence/dependence.h"

namespace heddle::sm {

void DependenceDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, DependenceRegistry::names(),
                    "which earlier instructions a warp's next instruction waits for");
  DependenceRegistry::declare(*this, parameters);
}

void DependenceDescription::storage(config::StorageList& list) const {
  DependenceRegistry::storage(policy, list);
}

void DependenceDescription::check(const DependenceContext& context) const {
  DependenceRegistry::check(policy, *this, context);
}

bool DependenceDescription::holds_fetch() const {
  return DependenceRegistry::properties(policy, *this).holds_fetch;
}

bool DependenceDescription::is_one_at_a_time() const {
  return DependenceRegistry::properties(policy, *this).is_one_at_a_time;
}

bool DependenceDescription::needs_active_lanes() const {
  return DependenceRegistry::properties(policy, *this).needs_active_lanes;
}

bool DependenceDescription::records_registers() const {
  return DependenceRegistry::properties(policy, *this).records_registers;
}

std::unique_ptr<Dependence> make_dependence(const DependenceDescription& description,
                                            const Bypass& bypass) {
  return DependenceRegistry::make(description.policy, description,
                                  {.description = description, .bypass = bypass});
}

}  // namespace heddle::sm
