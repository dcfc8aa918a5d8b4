#include "sm/redundancy/affine.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <vector>

namespace heddle::sm {
namespace {

std::vector<std::uint64_t> progression(LaneMask lanes, std::uint64_t base, std::uint64_t stride,
                                       std::uint64_t mask) {
  std::vector<std::uint64_t> values;
  for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
    values.push_back((base + static_cast<std::uint64_t>(rest.lowest()) * stride) & mask);
  }
  return values;
}

bool has_different_values(const std::vector<std::uint64_t>& values) {
  return values != std::vector<std::uint64_t>(values.size(), values.front());
}

/// Tries all bases and strides of six bits.
bool is_some_progression(LaneMask lanes, const std::vector<std::uint64_t>& values) {
  for (std::uint64_t stride = 1; stride < 64; ++stride) {
    for (std::uint64_t base = 0; base < 64; ++base) {
      if (progression(lanes, base, stride, 63) == values) return true;
    }
  }
  return false;
}

TEST(Affine, AgreesWithTryingEveryStride) {
  std::mt19937 engine(1);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  std::size_t affine = 0, other = 0;
  for (int i = 0; i < 4000; ++i) {
    // Sparse sets have gaps that are multiples of powers of two.
    LaneMask lanes(random());
    for (int thinning = i % 5; thinning > 0; --thinning) lanes = lanes & LaneMask(random());
    if (i % 3 == 0) lanes = lanes & LaneMask(0x1111'1111U);
    if (lanes.empty()) continue;
    std::vector<std::uint64_t> values = progression(lanes, random() % 64, random() % 64, 63);
    if (i % 2 == 0) {
      std::uint64_t& changed = values[random() % values.size()];
      changed = (changed + (std::uint64_t{1} << random() % 6)) & 63;
    }
    // A stride that is a multiple of a power of two may leave all values equal.
    const bool expected = has_different_values(values) && is_some_progression(lanes, values);
    EXPECT_EQ(is_affine(lanes, values, 6), expected) << "lanes " << lanes.bits();
    ++(expected ? affine : other);
  }
  EXPECT_GT(affine, 1000U);
  EXPECT_GT(other, 1000U);
}

TEST(Affine, WrapsAroundAtTheWidthOfTheResult) {
  const LaneMask three = LaneMask::first_lanes(3);
  EXPECT_TRUE(is_affine(three, std::vector<std::uint64_t>{0xffff'ffff, 0, 1}, 32));
  EXPECT_FALSE(is_affine(three, std::vector<std::uint64_t>{0xffff'ffff, 0, 1}, 64));
  EXPECT_TRUE(is_affine(three, std::vector<std::uint64_t>{~std::uint64_t{0}, 0, 1}, 64));
  EXPECT_TRUE(is_affine(three, std::vector<std::uint64_t>{10, 3, 0xffff'fffc}, 32));
}

TEST(Affine, StrideMustBeWhole) {
  // Lanes 0 and 2: only even differences have a stride; lanes 0 and 1: all have one.
  EXPECT_TRUE(is_affine(LaneMask(0b101), std::vector<std::uint64_t>{5, 11}, 32));
  EXPECT_FALSE(is_affine(LaneMask(0b101), std::vector<std::uint64_t>{5, 10}, 32));
  EXPECT_TRUE(is_affine(LaneMask(0b011), std::vector<std::uint64_t>{5, 10}, 32));
}

TEST(Affine, EqualAndSingleValuesAreNotAffine) {
  EXPECT_FALSE(is_affine(LaneMask::all(), std::vector<std::uint64_t>(32, 5), 32));
  EXPECT_FALSE(is_affine(LaneMask::of_lane(9), std::vector<std::uint64_t>{5}, 32));
}

}  // namespace
}  // namespace heddle::sm
