#include "sm/redundancy/redundancy.h"

namespace heddle::sm {

void RedundancyDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, RedundancyRegistry::names(),
                    "which redundant computations are skipped");
  RedundancyRegistry::declare(*this, parameters);
}

void RedundancyDescription::storage(config::StorageList& list) const {
  RedundancyRegistry::storage(policy, list);
}

bool RedundancyDescription::is_present() const { return make_redundancy(*this) != nullptr; }

void RedundancyDescription::check(const SmDescription& sm) const {
  RedundancyRegistry::check(policy, *this, sm);
}

std::unique_ptr<Redundancy> make_redundancy(const RedundancyDescription& description) {
  return RedundancyRegistry::make(description.policy, description, description);
}

}  // namespace heddle::sm
