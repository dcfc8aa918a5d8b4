#include "sm/units/bypass.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sm/sm_description.h"
#include "sm/units/slices.h"

namespace heddle::sm {

Bypass::Bypass(const UnitsDescription& units) : is_present_(units.bypass) {
  if (!is_present_) return;
  const std::array<const UnitDescription*, kUnits> connected{&units.integer, &units.fp32,
                                                             &units.fp64};
  for (std::size_t producer = 0; producer < kUnits; ++producer) {
    const std::uint64_t wait_cycles =
        result_lag(*connected[producer], units) + units.register_cycles;
    for (std::size_t reader = 0; reader < kUnits; ++reader) {
      saved_[producer][reader] =
          Cycles(wait_cycles - chained_lag(*connected[producer], *connected[reader]));
    }
  }
}

void UnitsDescription::check(const SmDescription& sm) const {
  if (!bypass) return;
  for (const UnitDescription* unit : {&integer, &fp32, &fp64}) {
    if (unit->latency > register_cycles) continue;
    throw InputError(fmt::format(
        "units.bypass needs units whose latency exceeds units.register_cycles ({1}): a unit of "
        "latency {0} would have no stage to execute in",
        unit->latency, register_cycles));
  }
  if (sm.dependence.holds_fetch()) {
    throw InputError(fmt::format(
        "units.bypass cannot be used with dependence.policy '{}': a warp's next instruction is "
        "fetched only when the previous one has left the pipeline",
        sm.dependence.policy));
  }
}

}  // namespace heddle::sm
