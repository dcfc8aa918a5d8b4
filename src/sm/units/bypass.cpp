#include "sm/units/bypass.h"

#include <fmt/format.h>

#include "base/error.h"
#include "sm/redundancy/redundancy.h"
#include "sm/sm_description.h"
#include "sm/units/slices.h"

namespace heddle::sm {

Bypass::Bypass(const UnitsDescription& units) : is_there_(units.bypass) {
  if (!is_there_) return;
  const std::array<const UnitDescription*, kUnits> joined{&units.integer, &units.fp32, &units.fp64};
  for (std::size_t producer = 0; producer < kUnits; ++producer) {
    const std::uint64_t waited = lag_of(*joined[producer], units) + units.register_cycles;
    for (std::size_t reader = 0; reader < kUnits; ++reader) {
      saved_[producer][reader] = Cycles(waited - lag_of_chain(*joined[producer], *joined[reader]));
    }
  }
}

void UnitsDescription::check(const SmDescription& sm) const {
  if (!bypass) return;
  for (const UnitDescription* unit : {&integer, &fp32, &fp64}) {
    if (unit->latency > register_cycles) continue;
    throw InputError(fmt::format(
        "units.bypass leaves a unit of latency {} no stage to execute in: {} cycles of it "
        "are units.register_cycles",
        unit->latency, register_cycles));
  }
  if (sm.dependence.holds_fetch()) {
    throw InputError(fmt::format(
        "units.bypass has nobody to pass results on to: with dependence.policy '{}' a warp's next "
        "instruction is fetched when the one before has left the pipeline",
        sm.dependence.policy));
  }
  if (make_redundancy(sm.redundancy) != nullptr) {
    throw InputError(fmt::format(
        "units.bypass passes results on slice by slice, of which redundancy.policy '{}' "
        "leaves out some",
        sm.redundancy.policy));
  }
}

}  // namespace heddle::sm
