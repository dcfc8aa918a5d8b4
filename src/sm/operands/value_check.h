#pragma once

// A check, for tests, of policies with several levels of registers. The levels model no values, so
// the check gives every write of a thread's register a new number and tracks which number each
// place holds. A read that finds another number than the register's latest is wrong.

#include <array>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/operands/static_warps_of_pass.h"
#include "sm/pipeline/issue_table.h"

namespace heddle::sm {

class ValueCheck {
 public:
  /// `places`: the number of entries, in all levels above the main file, of each static warp.
  explicit ValueCheck(std::uint32_t places);

  // -- the program's writes -----------------------------------------------------------------------
  void record_write(const IssueInfo& info, const StaticWarpLanes& static_warp, std::uint16_t word);
  /// The warp's threads have ended; other threads will get the hardware warp's registers.
  void ended(HardwareWarpId hardware_warp);

  // -- moves of values between places -------------------------------------------------------------
  void copy_to_main(HardwareWarpId hardware_warp, std::uint16_t word, LaneMask lanes);
  void copy_to_place(HardwareWarpId hardware_warp, std::uint32_t place, std::uint16_t word,
                     LaneMask lanes);
  void main_to_place(HardwareWarpId hardware_warp, std::uint32_t place, std::uint16_t word,
                     LaneMask lanes);
  void place_to_main(HardwareWarpId hardware_warp, std::uint32_t place, std::uint16_t word,
                     LaneMask lanes);
  void place_to_place(HardwareWarpId hardware_warp, std::uint32_t from, std::uint32_t to,
                      LaneMask lanes);
  /// The values of these lanes in all places are lost.
  void lose_places(HardwareWarpId hardware_warp, LaneMask lanes);

  // -- reads --------------------------------------------------------------------------------------
  void read_main(HardwareWarpId hardware_warp, std::uint16_t word, LaneMask lanes);
  void read_place(HardwareWarpId hardware_warp, std::uint32_t place, std::uint16_t word,
                  LaneMask lanes);

  void declare(CounterList& counters);

 private:
  using Value = std::uint64_t;
  using Lanes = std::array<Value, kWarpSize>;
  static constexpr Value kLost = ~Value{0};
  static constexpr Value kUndefined = kLost - 1;

  Lanes& current(HardwareWarpId hardware_warp, std::uint16_t word) {
    return current_[hardware_warp * kFirstPredicate + word];
  }
  Lanes& main(HardwareWarpId hardware_warp, std::uint16_t word) {
    return main_[hardware_warp * kFirstPredicate + word];
  }
  Lanes& place(HardwareWarpId hardware_warp, std::uint32_t number) {
    return places_[hardware_warp * places_per_warp_ + number];
  }
  void compare(const Lanes& held, const Lanes& expected, LaneMask lanes);

  std::uint32_t places_per_warp_;
  Value last_number_ = 0;
  std::vector<Lanes> current_;
  std::vector<Lanes> main_;
  std::vector<Lanes> places_;
  std::uint64_t checked_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace heddle::sm
