#include "base/xor_fold.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace heddle {
namespace {

TEST(XorFold, ReturnsExclusiveOrOfAllPieces) {
  EXPECT_EQ(xor_fold(0b101'011'110, 3), 0b000U);
  EXPECT_EQ(xor_fold(0b101'001'110, 3), 0b010U);
  EXPECT_EQ(xor_fold(0x1234'5678'9abc'def0, 4), 0U);
  EXPECT_EQ(xor_fold(0x1234'5678'9abc'def0, 16), 0x1234U ^ 0x5678U ^ 0x9abcU ^ 0xdef0U);
  EXPECT_EQ(xor_fold(0x1234'5678'9abc'def0, 64), 0x1234'5678'9abc'def0U);
  EXPECT_EQ(xor_fold(~std::uint64_t{0}, 0), 0U);
}

TEST(XorFold, SupportsPiecesOfAnyWidth) {
  std::mt19937_64 random(3);
  for (std::uint32_t bits = 1; bits <= 64; ++bits) {
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t value = random();
      std::uint64_t expected = 0;
      for (std::uint32_t bit = 0; bit < 64; ++bit) {
        expected ^= (value >> bit & 1) << (bit % bits);
      }
      ASSERT_EQ(xor_fold(value, bits), expected) << bits << " bits of " << value;
    }
  }
}

TEST(XorFold, DiffersIfOnePieceDiffers) {
  for (const std::uint32_t above : {0U, 5U, 10U, 40U}) {
    std::set<std::uint64_t> hashes;
    for (std::uint64_t piece = 0; piece < 32; ++piece) {
      hashes.insert(xor_fold((piece << above) ^ 0x123'4567'89ab'cdefU, 5));
    }
    EXPECT_EQ(hashes.size(), 32U) << "pieces from bit " << above << " on";
  }
}

}  // namespace
}  // namespace heddle
