#include "sm/redundancy/recent_passes.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <deque>
#include <random>
#include <utility>
#include <vector>

namespace heddle::sm {
namespace {

ComputedPass pass_of(std::uint32_t pc, std::uint32_t static_warp,
                     std::vector<std::uint32_t> values) {
  ComputedPass pass{.pc = pc, .active = LaneMask(0b11), .values = std::move(values)};
  pass.static_warps[0] = pass.static_warps[1] = static_warp;
  return pass;
}

EqualPass add(RecentPasses& recent, ComputedPass pass) { return recent.add(pass); }

TEST(RecentPasses, DistinguishTheWarpsOfEqualPasses) {
  RecentPasses recent(8);
  EXPECT_EQ(add(recent, pass_of(3, 1, {5, 6})), EqualPass::none);
  EXPECT_EQ(add(recent, pass_of(3, 1, {5, 6})), EqualPass::of_same_warp);
  EXPECT_EQ(add(recent, pass_of(3, 2, {5, 6})), EqualPass::of_other_warp);
  EXPECT_EQ(add(recent, pass_of(3, 1, {5, 6})), EqualPass::of_other_warp);
}

TEST(RecentPasses, OneLaneOfAnotherStaticWarpMakesAnotherWarp) {
  RecentPasses recent(8);
  add(recent, pass_of(3, 1, {5, 6}));
  ComputedPass mixed = pass_of(3, 1, {5, 6});
  mixed.static_warps[1] = 2;
  EXPECT_EQ(recent.add(mixed), EqualPass::of_other_warp);
}

TEST(RecentPasses, CompareInstructionLanesAndValues) {
  RecentPasses recent(64);
  const code::Program other_program;
  add(recent, pass_of(3, 1, {5, 6}));
  EXPECT_EQ(add(recent, pass_of(4, 2, {5, 6})), EqualPass::none);
  EXPECT_EQ(add(recent, pass_of(3, 2, {5, 7})), EqualPass::none);
  EXPECT_EQ(add(recent, pass_of(3, 2, {6, 5})), EqualPass::none);
  EXPECT_EQ(add(recent, pass_of(3, 2, {5, 6, 0, 0})), EqualPass::none);
  ComputedPass pass = pass_of(3, 2, {5, 6});
  pass.launch.grid_id = 1;
  EXPECT_EQ(add(recent, pass), EqualPass::none);
  pass = pass_of(3, 2, {5, 6});
  pass.launch.program = &other_program;
  EXPECT_EQ(add(recent, pass), EqualPass::none);
  pass = pass_of(3, 2, {5, 6});
  pass.active = LaneMask(0b101);
  EXPECT_EQ(add(recent, pass), EqualPass::none);
  EXPECT_EQ(add(recent, pass_of(3, 2, {5, 6})), EqualPass::of_other_warp);
}

TEST(RecentPasses, KeepExactlyTheLastPasses) {
  for (const std::uint32_t length : {1U, 2U, 3U, 64U}) {
    RecentPasses recent(length);
    add(recent, pass_of(1, 1, {5, 6}));
    for (std::uint32_t i = 1; i < length; ++i) add(recent, pass_of(2, 1, {i, 0}));
    EXPECT_EQ(add(recent, pass_of(1, 2, {5, 6})), EqualPass::of_other_warp) << length;
    for (std::uint32_t i = 0; i < length; ++i) add(recent, pass_of(2, 1, {i, 1}));
    EXPECT_EQ(add(recent, pass_of(1, 2, {5, 6})), EqualPass::none) << length;
  }
}

/// Compares with each of the last passes.
class AllCompared {
 public:
  explicit AllCompared(std::size_t length) : length_(length) {}

  EqualPass add(const ComputedPass& pass) {
    EqualPass found = EqualPass::none;
    for (const ComputedPass& each : passes_) {
      if (each.pc != pass.pc || each.active != pass.active || each.values != pass.values) continue;
      if (each.static_warps != pass.static_warps) found = EqualPass::of_other_warp;
      if (found == EqualPass::none) found = EqualPass::of_same_warp;
    }
    passes_.push_back(pass);
    if (passes_.size() > length_) passes_.pop_front();
    return found;
  }

 private:
  std::size_t length_;
  std::deque<ComputedPass> passes_;
};

TEST(RecentPasses, AgreeWithComparingAllPasses) {
  std::mt19937 engine(2);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  for (const std::size_t length : {1U, 5U, 16U, 40U}) {
    RecentPasses recent(length);
    AllCompared reference(length);
    std::array<std::size_t, 3> found{};
    for (int i = 0; i < 3000; ++i) {
      ComputedPass pass = pass_of(random() % 3, 1 + random() % 3, {random() % 3, 1});
      if (random() % 4 == 0) pass.active = LaneMask(0b110);
      const EqualPass expected = reference.add(pass);
      ASSERT_EQ(recent.add(pass), expected) << "pass " << i << " with length " << length;
      ++found[static_cast<std::size_t>(expected)];
    }
    for (const std::size_t each : found) EXPECT_GT(each, 20U) << length;
  }
}

}  // namespace
}  // namespace heddle::sm
