#include "sm/redundancy/error_detection.h"

namespace heddle::sm {

/// An instruction that is not computed in all lanes is executed for all of them.
void ErrorDetection::count(Computed computed, std::uint32_t lanes) {
  operations_ += lanes;
  switch (computed) {
    case Computed::in_all_lanes:
      return;
    case Computed::in_one_lane:
      ++comparisons_;
      break;
    case Computed::reused:
      ++parities_;
      break;
  }
  protected_operations_ += lanes;
}

std::span<const Stretch> ErrorDetection::read(HardwareWarpId hardware_warp, std::uint16_t number,
                                              Cycle now) {
  const std::span<const Stretch> stretches = lives_.read(hardware_warp, number, now);
  for (const Stretch& stretch : stretches) {
    live_cycles_ += stretch.cycles();
    if (is_duplicated(stretch.protection)) protected_live_cycles_ += stretch.cycles();
    if (stretch.protection == Protection::duplicated_load) loaded_live_cycles_ += stretch.cycles();
  }
  return stretches;
}

void ErrorDetection::declare(CounterList& counters) {
  counters.add("operations", operations_, "thread operations", "of arithmetic units");
  counters.add("protected_operations", protected_operations_, "thread operations",
               "of these, computed twice or taken from the reuse buffer");
  counters.add("comparisons", comparisons_, "warp instructions",
               "whose results in two lanes are compared");
  counters.add("parities", parities_, "entries", "of the reuse buffer whose parity is checked");
  counters.add("second_copies", second_copies_, "registers",
               "of which a second lane is written, because their value is uniform");
  counters.add("live_cycles", live_cycles_, "cycles",
               "in which vector registers are live, summed over registers");
  counters.add("protected_live_cycles", protected_live_cycles_, "cycles",
               "of these, with the value stored twice");
  counters.add("loaded_live_cycles", loaded_live_cycles_, "cycles",
               "of these, with a value that was loaded from one address");
}

}  // namespace heddle::sm
