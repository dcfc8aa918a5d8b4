// exec::ShadowWarp, on which a warp runs ahead. The expected values are worked out by hand.

#include "exec/block/shadow_warp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "code/operation.h"
#include "exec/memory/epoch_stores.h"
#include "sm/launched_grid.h"

namespace heddle::sm {
namespace {

using code::Operation;

/// A warp that executes instructions one by one, with buffered stores, and a shadow of it.
class ShadowWarpTest : public testing::Test {
 protected:
  void start(const std::string& body) {
    block_.reset();
    grid_.emplace(body);
    block_.emplace(grid_->prepared.launch);
    block_->place_on(0, 1, &stores_);
    block_->start(0);
  }
  exec::Warp& warp() { return block_->warp(0); }
  const code::Instruction& instruction(std::uint32_t pc) const {
    return grid_->prepared.launch.program->instructions[pc];
  }
  /// Whether the instruction is this operation. A load of a kernel parameter is not a `load` here.
  bool is(std::uint32_t pc, Operation operation) const {
    return instruction(pc).operation == operation &&
           instruction(pc).space != code::Space::parameter;
  }
  /// Executes the warp up to its next instruction with this operation.
  void run_to(Operation operation) {
    while (!is(warp().stack.top().pc, operation)) block_->step(warp());
  }
  void copy() { shadow.copy(*block_, warp()); }
  /// Executes the shadow up to its next instruction with this operation.
  void shadow_to(Operation operation) {
    for (shadow.enter(); !is(shadow.pc(), operation); shadow.enter()) {
      ASSERT_TRUE(shadow.execute());
      ASSERT_FALSE(shadow.finished());
    }
  }
  /// The registers and predicates of the warp.
  std::vector<std::uint32_t> values() {
    const code::FunctionInfo& info = grid_->prepared.launch.info();
    const std::uint32_t* const registers = warp().context.base[0];
    std::vector<std::uint32_t> all(registers, registers + info.registers_per_thread * 32);
    all.insert(all.end(), warp().context.predicates,
               warp().context.predicates + info.predicates_per_thread + 1);
    return all;
  }
  /// The register that the store which the shadow executes next writes to memory.
  std::uint32_t stored_register() const { return instruction(shadow.pc()).sources[1].index; }

  exec::ShadowWarp shadow;

 private:
  std::optional<LaunchedGrid> grid_;
  exec::EpochStores stores_;
  std::optional<exec::Block> block_;
};

TEST_F(ShadowWarpTest, ExecutesWithoutChangingTheWarp) {
  start(R"(
  ld.global.u32 %r5, [%rd2];
  mad.lo.u32 %r6, %r5, 2, %r4;
  setp.lt.u32 %p1, %r6, 7;
  @%p1 bra SMALL;
  add.u32 %r6, %r6, 1000;
SMALL:
  mul.lo.u32 %r6, %r6, 3;
  st.global.u32 [%rd2], %r6;
  ret;)");
  run_to(Operation::load);
  copy();
  const std::vector<std::uint32_t> before = values();
  const exec::ReconvergenceStack stack = warp().stack;
  shadow_to(Operation::store);
  const std::uint32_t number = stored_register();
  for (int lane = 0; lane < 32; ++lane) {
    const auto thread = static_cast<std::uint32_t>(lane);
    EXPECT_EQ(shadow.value(number, lane), 3 * (thread < 7 ? thread : thread + 1000)) << lane;
  }
  EXPECT_EQ(values(), before);
  EXPECT_TRUE(warp().stack == stack);
  shadow.skip();
  shadow_to(Operation::exit);
  EXPECT_TRUE(shadow.execute());
  EXPECT_TRUE(shadow.finished());
  EXPECT_EQ(warp().state, exec::Warp::State::running);
  EXPECT_TRUE(is(warp().stack.top().pc, Operation::load));
}

TEST_F(ShadowWarpTest, DivergesAsTheWarpWill) {
  start(R"(
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra EVEN;
  ld.volatile.global.u32 %r6, [%rd1];
  bra MEET;
EVEN:
  ld.volatile.global.u32 %r6, [%rd1+4];
MEET:
  st.global.u32 [%rd2], %r6;
  ret;)");
  run_to(Operation::branch);
  copy();
  shadow.enter();
  ASSERT_TRUE(shadow.execute());
  shadow_to(Operation::load);
  EXPECT_NE(shadow.path(), LaneMask::all());
  EXPECT_EQ(shadow.path().count(), 16);
  EXPECT_EQ(shadow.live(), LaneMask::all());
  EXPECT_EQ(LaneMask(warp().stack.top().mask), LaneMask::all());
}

TEST_F(ShadowWarpTest, LoadsSeeBufferedStoresOfTheWarp) {
  start(R"(
  add.u32 %r5, %r4, 77;
  st.global.u32 [%rd2], %r5;
  ld.volatile.global.u32 %r6, [%rd2];
  st.global.u32 [%rd2+256], %r6;
  ret;)");
  run_to(Operation::load);
  copy();
  shadow.enter();
  ASSERT_TRUE(shadow.execute());
  shadow_to(Operation::store);
  EXPECT_EQ(shadow.value(stored_register(), 5), 5U + 77U);
}

TEST_F(ShadowWarpTest, ChecksAddressesOfActiveLanesOnly) {
  // The array has 4096 bytes. Lanes 8 to 31 would access what lies behind it.
  for (const auto& [active, may_load] : {std::pair{8, true}, std::pair{9, false}}) {
    start("setp.lt.u32 %p1, %r4, " + std::to_string(active) + R"(;
  mul.wide.u32 %rd3, %r4, 512;
  add.u64 %rd3, %rd1, %rd3;
  @%p1 ld.global.u32 %r5, [%rd3];
  st.global.u32 [%rd2], %r5;
  ret;)");
    run_to(Operation::load);
    copy();
    shadow.enter();
    EXPECT_EQ(shadow.active(), LaneMask::first_lanes(active));
    EXPECT_EQ(shadow.find_addresses(4), may_load) << active;
  }
}

TEST_F(ShadowWarpTest, ChecksAlignment) {
  start(R"(
  ld.global.u32 %r5, [%rd2+2];
  st.global.u32 [%rd2], %r5;
  ret;)");
  run_to(Operation::load);
  copy();
  shadow.enter();
  EXPECT_FALSE(shadow.find_addresses(4));
  EXPECT_TRUE(shadow.find_addresses(2));
}

TEST_F(ShadowWarpTest, FindsLanesInDeviceMemory) {
  start(R"(
  .shared .align 4 .b8 words[128];
  mov.u64 %rd3, words;
  cvta.shared.u64 %rd3, %rd3;
  setp.lt.u32 %p1, %r4, 5;
  selp.b64 %rd3, %rd3, %rd1, %p1;
  ld.u32 %r5, [%rd3];
  st.global.u32 [%rd2], %r5;
  ret;)");
  run_to(Operation::load);
  copy();
  shadow.enter();
  EXPECT_TRUE(shadow.find_addresses(4));
  EXPECT_EQ(shadow.lanes_in_device_memory(), LaneMask::all().without(LaneMask::first_lanes(5)));
}

TEST_F(ShadowWarpTest, DoesNotRaiseFaults) {
  start(R"(
  mul.wide.u32 %rd3, %r4, 4096;
  add.u64 %rd3, %rd1, %rd3;
  ld.global.u32 %r6, [%rd3];
  st.global.u32 [%rd2], %r6;
  ret;)");
  run_to(Operation::load);
  copy();
  shadow.enter();
  const std::uint32_t pc = shadow.pc();
  EXPECT_FALSE(shadow.find_addresses(4)) << "the array has 4096 bytes";
  EXPECT_FALSE(shadow.execute());
  EXPECT_EQ(shadow.pc(), pc);
}

TEST_F(ShadowWarpTest, CanBeCopiedAgain) {
  start(R"(
  ld.volatile.global.u32 %r5, [%rd2];
  add.u32 %r6, %r5, %r4;
  st.global.u32 [%rd2], %r6;
  ret;)");
  run_to(Operation::load);
  for (int i = 0; i < 3; ++i) {
    copy();
    EXPECT_EQ(shadow.pc(), warp().stack.top().pc);
    shadow_to(Operation::store);
    EXPECT_EQ(shadow.value(stored_register(), 3), 3U);
    shadow.skip();
  }
}

}  // namespace
}  // namespace heddle::sm
