#include "sm/sub_cores/sub_core_description.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sm/sm_description.h"

namespace heddle::sm {

void SubCoreDescription::declare(config::Declarations& parameters) {
  parameters.number("sub_cores", count, {.least = 1, .most = 8},
                    "parts of a multiprocessor, each with schedulers, dependence logic, operands, "
                    "units and instruction buffers of its own; warp slot i is in part i modulo "
                    "their number");
}

void SubCoreDescription::check(const SmDescription& sm) const {
  if (count == 1) return;
  if (!sm.divergence.keeps_static_warps()) {
    throw InputError(
        fmt::format("sm.sub_cores is {}: with divergence.policy '{}' threads move between warps, "
                    "and their registers would have to move between sub-cores",
                    count, sm.divergence.policy));
  }
  if (sm.residency.warps % count != 0) {
    throw InputError(fmt::format(
        "sm.warps is {}: {} sub-cores (sm.sub_cores) cannot have equally many warps each",
        sm.residency.warps, count));
  }
}

}  // namespace heddle::sm
