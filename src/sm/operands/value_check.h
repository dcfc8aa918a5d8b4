#pragma once

// For tests of operands in levels: which value each place holds, as a number that every write of a
// thread's register makes anew, so that a read of the wrong one is found although the levels hold
// no values.

#include <array>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/issue_table.h"
#include "sm/operands/rows_of_pass.h"

namespace heddle::sm {

class ValueCheck {
 public:
  /// `places`: above the main file, of each row.
  explicit ValueCheck(std::uint32_t places);

  // -- what the program does ----------------------------------------------------------------------
  void written(const IssueInfo& info, const RowLanes& row, std::uint16_t word);
  /// Its threads have ended: others' registers begin there.
  void ended(WarpSlot home);

  // -- where values are ---------------------------------------------------------------------------
  void copy_to_main(WarpSlot home, std::uint16_t word, LaneMask lanes);
  void copy_to_place(WarpSlot home, std::uint32_t place, std::uint16_t word, LaneMask lanes);
  void main_to_place(WarpSlot home, std::uint32_t place, std::uint16_t word, LaneMask lanes);
  void place_to_main(WarpSlot home, std::uint32_t place, std::uint16_t word, LaneMask lanes);
  void place_to_place(WarpSlot home, std::uint32_t from, std::uint32_t to, LaneMask lanes);
  void lose_places(WarpSlot home, LaneMask lanes);

  // -- and what is read ---------------------------------------------------------------------------
  void read_main(WarpSlot home, std::uint16_t word, LaneMask lanes);
  void read_place(WarpSlot home, std::uint32_t place, std::uint16_t word, LaneMask lanes);

  void declare(CounterList& counters);

 private:
  using Value = std::uint64_t;
  using Lanes = std::array<Value, kWarpSize>;
  static constexpr Value kLost = ~Value{0};
  static constexpr Value kUndefined = kLost - 1;

  Lanes& current(WarpSlot home, std::uint16_t word) {
    return current_[home * kFirstPredicate + word];
  }
  Lanes& main(WarpSlot home, std::uint16_t word) { return main_[home * kFirstPredicate + word]; }
  Lanes& place(WarpSlot home, std::uint32_t number) { return places_[home * count_ + number]; }
  void compare(const Lanes& held, const Lanes& meant, LaneMask lanes);

  std::uint32_t count_;
  Value last_ = 0;
  std::vector<Lanes> current_;
  std::vector<Lanes> main_;
  std::vector<Lanes> places_;
  std::uint64_t checked_ = 0;
  std::uint64_t wrong_ = 0;
};

}  // namespace heddle::sm
