#include "sm/operands/value_check.h"

#include <gtest/gtest.h>

#include <string_view>

#include "sm/operands/place_energies.h"

namespace heddle::sm {
namespace {

constexpr LaneMask kLow(0x0000ffffU);

std::uint64_t counter_value(ValueCheck& check, std::string_view name) {
  CounterList list;
  check.declare(list);
  for (const Counter& counter : list.all()) {
    if (counter.name == name) return *counter.value;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

StaticWarpLanes all_lanes_of(HardwareWarpId hardware_warp) {
  return {.hardware_warp = hardware_warp, .path = LaneMask::all(), .active = LaneMask::all()};
}

TEST(ValueCheck, FindsReadOfOlderValue) {
  ValueCheck check(2);
  check.record_write({}, all_lanes_of(1), 5);
  check.copy_to_place(1, 0, 5, LaneMask::all());
  check.read_place(1, 0, 5, LaneMask::all());
  EXPECT_EQ(counter_value(check, "wrong_values"), 0u);
  check.record_write({}, {.hardware_warp = 1, .path = LaneMask::all(), .active = kLow}, 5);
  check.read_place(1, 0, 5, LaneMask::all());
  EXPECT_EQ(counter_value(check, "wrong_values"), 16u);
  EXPECT_EQ(counter_value(check, "checked_values"), 64u);
}

TEST(ValueCheck, FindsReadOfLostValue) {
  ValueCheck check(2);
  check.record_write({}, all_lanes_of(1), 5);
  check.copy_to_place(1, 1, 5, LaneMask::all());
  check.lose_places(1, kLow);
  check.read_place(1, 1, 5, LaneMask::all());
  EXPECT_EQ(counter_value(check, "wrong_values"), 16u);
}

TEST(ValueCheck, FindsReadOfValueThatWasNotCopiedToMainFile) {
  ValueCheck check(2);
  check.read_main(0, 7, LaneMask::all());
  EXPECT_EQ(counter_value(check, "wrong_values"), 0u)
      << "a register that was never written is not wrong";
  check.record_write({}, all_lanes_of(0), 7);
  check.copy_to_place(0, 0, 7, LaneMask::all());
  check.read_main(0, 7, kLow);
  EXPECT_EQ(counter_value(check, "wrong_values"), 16u);
  check.place_to_main(0, 0, 7, LaneMask::all());
  check.read_main(0, 7, LaneMask::all());
  EXPECT_EQ(counter_value(check, "wrong_values"), 16u);
  check.main_to_place(0, 1, 7, LaneMask::all());
  check.read_place(0, 1, 7, LaneMask::all());
  EXPECT_EQ(counter_value(check, "wrong_values"), 16u);
}

TEST(ValueCheck, IgnoresLanesThatGuardLeavesUndefined) {
  ValueCheck check(1);
  IssueInfo info;
  info.leaves_undefined = true;
  check.record_write(info, {.hardware_warp = 0, .path = LaneMask::all(), .active = kLow}, 3);
  check.copy_to_main(0, 3, kLow);
  check.read_main(0, 3, LaneMask::all());
  EXPECT_EQ(counter_value(check, "checked_values"), 16u);
  EXPECT_EQ(counter_value(check, "wrong_values"), 0u);
}

TEST(ValueCheck, StartsAfreshWithNewThreads) {
  ValueCheck check(1);
  check.record_write({}, all_lanes_of(2), 3);
  check.ended(2);
  check.read_main(2, 3, LaneMask::all());
  EXPECT_EQ(counter_value(check, "wrong_values"), 0u);
}

TEST(PlaceEnergies, AddBankAndWireEnergyPerWord) {
  const code::PlaceEnergies three = place_energies(3);
  EXPECT_DOUBLE_EQ(three.main_read, 8.0 / 4 + 1.9);
  EXPECT_DOUBLE_EQ(three.main_write, 11.0 / 4 + 1.9);
  EXPECT_DOUBLE_EQ(three.operand_read_private, 1.2 / 4 + 1.9 * 0.2);
  EXPECT_DOUBLE_EQ(three.operand_read_shared, 1.2 / 4 + 1.9 * 0.4);
  EXPECT_DOUBLE_EQ(three.operand_write_private, 4.4 / 4 + 1.9 * 0.2);
  EXPECT_DOUBLE_EQ(three.operand_write_shared, 4.4 / 4 + 1.9 * 0.4);
  EXPECT_DOUBLE_EQ(three.last_result_read, 0.7 / 4 + 1.9 * 0.05);
  EXPECT_DOUBLE_EQ(three.last_result_write, 2.0 / 4 + 1.9 * 0.05);
  EXPECT_EQ(place_energies(0), place_energies(1));
  EXPECT_EQ(place_energies(32), place_energies(8));
}

}  // namespace
}  // namespace heddle::sm
