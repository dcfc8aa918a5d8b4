#pragma once

// A check, for tests, of policies with several levels of registers. The levels do not model values.
// The check therefore gives every write of a register a new number, and tracks which number is in
// each place. A read is wrong if it finds another number than that of the last write. A place is an
// entry of a level above the main register file; a static warp's places are numbered from 0 on.

#include <array>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/static_warps_of_pass.h"

namespace heddle::sm {

class ValueCheck {
 public:
  /// `places`: the number of places of each static warp, in all levels above the main file.
  explicit ValueCheck(std::uint32_t places);

  // -- the program's writes -----------------------------------------------------------------------
  /// The program writes the register in the active lanes.
  void record_write(const IssueInfo& info, const StaticWarpLanes& static_warp, std::uint16_t reg);
  /// The threads of the static warp have ended. Other threads will get its hardware warp.
  void ended(HardwareWarpId hardware_warp);

  // -- moves of values between places -------------------------------------------------------------
  // The last value written to a register is copied, without having been in another place:
  void copy_to_main(HardwareWarpId hardware_warp, std::uint16_t reg, LaneMask lanes);
  void copy_to_place(HardwareWarpId hardware_warp, std::uint32_t place, std::uint16_t reg,
                     LaneMask lanes);
  // A value moves:
  void main_to_place(HardwareWarpId hardware_warp, std::uint32_t place, std::uint16_t reg,
                     LaneMask lanes);
  void place_to_main(HardwareWarpId hardware_warp, std::uint32_t place, std::uint16_t reg,
                     LaneMask lanes);
  void place_to_place(HardwareWarpId hardware_warp, std::uint32_t from, std::uint32_t to,
                      LaneMask lanes);
  /// The values of these lanes are lost in all places.
  void lose_places(HardwareWarpId hardware_warp, LaneMask lanes);

  // -- reads --------------------------------------------------------------------------------------
  // The program reads a register in the main file, or in a place:
  void read_main(HardwareWarpId hardware_warp, std::uint16_t reg, LaneMask lanes);
  void read_place(HardwareWarpId hardware_warp, std::uint32_t place, std::uint16_t reg,
                  LaneMask lanes);

  void declare(CounterList& counters);

 private:
  using Value = std::uint64_t;  ///< The number of a write; 0 before the first.
  using Lanes = std::array<Value, kWarpSize>;
  static constexpr Value kLost = ~Value{0};
  static constexpr Value kUndefined = kLost - 1;  ///< The program may not rely on the value.

  Lanes& current(HardwareWarpId hardware_warp, std::uint16_t reg) {
    return current_[hardware_warp * kFirstPredicate + reg];
  }
  Lanes& main(HardwareWarpId hardware_warp, std::uint16_t reg) {
    return main_[hardware_warp * kFirstPredicate + reg];
  }
  Lanes& place(HardwareWarpId hardware_warp, std::uint32_t number) {
    return places_[hardware_warp * places_per_warp_ + number];
  }
  void compare(const Lanes& found, const Lanes& expected, LaneMask lanes);

  std::uint32_t places_per_warp_;
  Value last_number_ = 0;
  std::vector<Lanes> current_;  ///< The last writes, by hardware warp and register.
  std::vector<Lanes> main_;     ///< The main register file, by hardware warp and register.
  std::vector<Lanes> places_;   ///< By hardware warp and place.
  std::uint64_t checked_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace heddle::sm
