#include "sm/redundancy/error_detection.h"

#include "base/lane_mask.h"

namespace heddle::sm {

ErrorDetection::ErrorDetection() : registers_(kMaxWarps) {}

void ErrorDetection::count_compared() {
  ++comparisons_;
  operations_ += kWarpSize;
  protected_operations_ += kWarpSize;
}

void ErrorDetection::count_reused() {
  ++parities_;
  operations_ += kWarpSize;
  protected_operations_ += kWarpSize;
}

void ErrorDetection::add_cycles(const Register& entry, Cycle now, Cycled& to) {
  const std::uint64_t cycles = (now - entry.since).count;
  to.all += cycles;
  if (entry.protection == Protection::duplicated) to.duplicated += cycles;
}

void ErrorDetection::read(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now) {
  Register& entry = registers_[hardware_warp][number];
  add_cycles(entry, now, live_);
  live_.all += entry.if_read.all;
  live_.duplicated += entry.if_read.duplicated;
  entry.if_read = {};
  entry.since = now;
}

void ErrorDetection::write(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now,
                           WrittenLanes lanes, Protection protection) {
  Register& entry = registers_[hardware_warp][number];
  if (lanes == WrittenLanes::all) {
    entry.if_read = {};  // Nobody reads the old value any more.
  } else {
    add_cycles(entry, now, entry.if_read);
  }
  entry.since = now;
  entry.protection = protection;
}

void ErrorDetection::ended(HardwareWarpId hardware_warp) {
  registers_[hardware_warp].fill(Register{});
}

void ErrorDetection::declare(CounterList& counters) {
  counters.add("operations", operations_, "thread operations", "of arithmetic units");
  counters.add("protected_operations", protected_operations_, "thread operations",
               "of these, computed twice or taken from the reuse buffer");
  counters.add("comparisons", comparisons_, "warp instructions",
               "whose results in two lanes are compared");
  counters.add("parities", parities_, "entries", "of the reuse buffer whose parity is checked");
  counters.add("live_cycles", live_.all, "cycles",
               "in which vector registers are live, summed over registers");
  counters.add("protected_live_cycles", live_.duplicated, "cycles",
               "of these, with the value stored twice");
}

}  // namespace heddle::sm
