#include "sm/redundancy/redundancy.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "sm/redundancy/per_sub_core.h"
#include "sm/redundancy/value_observer.h"

namespace heddle::sm {
void RedundancyDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, RedundancyRegistry::names(),
                    "which redundant computations are skipped");
  parameters.flag("convert", convert,
                  "uniform instructions are computed in one lane ('token', 'scalar-file')");
  parameters.number(
      "reuse_entries", reuse_entries, {.least = 0, .most = 64},
      "entries of a sub-core's buffer of reusable results ('token', 'scalar-file'); 0: "
      "none");
  parameters.number("reuse_operand_bits", reuse_operand_bits,
                    {.unit = "bits", .least = 32, .most = 64},
                    "the largest sources and results in that buffer: 32 or 64");
  parameters.flag("detect_errors", detect_errors,
                  "uniform instructions are computed in two lanes and compared ('token', "
                  "'scalar-file')");
  parameters.flag("observe", observe,
                  "whether counters show how many passes compute uniform, affine or repeated "
                  "values; it changes no timing");
  parameters.number(
      "observe_window", observe_window, {.unit = "passes", .least = 1, .most = 4096},
      "the last passes of the multiprocessor with which an observed pass is compared");
  RedundancyRegistry::declare(*this, parameters);
}

void RedundancyDescription::storage(config::StorageList& list) const {
  RedundancyRegistry::storage(policy, list);
}

bool RedundancyDescription::is_present() const {
  return RedundancyRegistry::make(policy, *this, *this) != nullptr;
}

void RedundancyDescription::check(const SmDescription& sm) const {
  if (reuse_operand_bits != 32 && reuse_operand_bits != 64) {
    throw InputError(fmt::format("redundancy.reuse_operand_bits is {}: it must be 32 or 64",
                                 reuse_operand_bits));
  }
  RedundancyRegistry::check(policy, *this, sm);
}

namespace {

/// One policy, or one for each of several sub-cores.
std::unique_ptr<Redundancy> make_policy(const RedundancyDescription& description,
                                        std::uint32_t sub_cores) {
  if (sub_cores == 1 || !description.is_present()) {
    return RedundancyRegistry::make(description.policy, description, description);
  }
  std::vector<std::unique_ptr<Redundancy>> policies(sub_cores);
  for (std::unique_ptr<Redundancy>& policy : policies) {
    policy = RedundancyRegistry::make(description.policy, description, description);
  }
  return std::make_unique<RedundancyPerSubCore>(std::move(policies));
}

}  // namespace

std::unique_ptr<Redundancy> make_redundancy(const RedundancyDescription& description,
                                            std::uint32_t sub_cores) {
  std::unique_ptr<Redundancy> policy = make_policy(description, sub_cores);
  if (!description.observe) return policy;
  return std::make_unique<ValueObserver>(std::move(policy), description.observe_window);
}

}  // namespace heddle::sm
