#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace heddle {
namespace {

TEST(Half, EveryValueComesBackAsItWas) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = half_value(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(half_value(half_from(value))));
    } else {
      ASSERT_EQ(half_from(value), half) << value;
    }
  }
}

TEST(Half, WhatLiesBetweenGoesToTheNearestAndTiesToTheEven) {
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const double low = half_value(bits);
    const double high = half_value(static_cast<std::uint16_t>(bits + 1));
    const double middle = (low + high) / 2;
    ASSERT_EQ(half_from(std::nextafter(middle, 0)), bits);
    ASSERT_EQ(half_from(std::nextafter(middle, high)), bits + 1);
    ASSERT_EQ(half_from(middle), bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(half_from(-middle), (bits % 2 == 0 ? bits : bits + 1) | 0x8000);
  }
}

TEST(Half, TooLargeIsInfinite) {
  EXPECT_EQ(half_from(65519.999), 0x7bff);
  EXPECT_EQ(half_from(65520), 0x7c00);
  EXPECT_EQ(half_from(-std::numeric_limits<double>::infinity()), 0xfc00);
  EXPECT_EQ(half_from(1e-30), 0);
}

}  // namespace
}  // namespace heddle
