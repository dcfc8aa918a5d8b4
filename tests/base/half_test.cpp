#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/half_model.h"

namespace heddle {
namespace {

TEST(Half, ConvertsEveryValueToFloatAndBack) {
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    const auto half = static_cast<std::uint16_t>(i);
    const float value = float_of_half(half);
    if (std::isnan(half_value(half))) {
      ASSERT_TRUE(std::isnan(value)) << i;
      ASSERT_EQ(half_of_float(value), 0x7fff);
      ASSERT_EQ(half_of_double(static_cast<double>(value)), 0x7fff);
    } else {
      ASSERT_EQ(static_cast<double>(value), half_value(half)) << i;
      ASSERT_EQ(half_of_float(value), half) << value;
      ASSERT_EQ(half_of_double(static_cast<double>(value)), half) << value;
    }
  }
}

TEST(Half, RoundsToNearestWithTiesToEven) {
  for (std::uint16_t low = 0; low < 0x7bff; ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const double tie = (half_value(low) + half_value(high)) / 2;
    const auto even = low % 2 == 0 ? low : high;
    const auto middle = static_cast<float>(tie);
    ASSERT_EQ(static_cast<double>(middle), tie);
    ASSERT_EQ(half_of_float(middle), even);
    ASSERT_EQ(half_of_float(-middle), even | 0x8000);
    ASSERT_EQ(half_of_float(std::nextafter(middle, 0.0F)), low);
    ASSERT_EQ(half_of_float(std::nextafter(middle, 1e6F)), high);
    // These doubles differ from the tie by less than any float does. Rounding them to float first
    // would yield the tie.
    ASSERT_EQ(half_of_double(std::nextafter(tie, 0)), low);
    ASSERT_EQ(half_of_double(std::nextafter(tie, 1e6)), high);
    ASSERT_EQ(half_of_double(-std::nextafter(tie, 1e6)), high | 0x8000);
    ASSERT_EQ(half_of_double(tie), even);
    ASSERT_EQ(nearest_half(tie), even);
  }
}

TEST(Half, OverflowsToInfinityAndUnderflowsToZero) {
  EXPECT_EQ(half_of_float(65519.99F), 0x7bff);
  EXPECT_EQ(half_of_float(65520), 0x7c00);
  EXPECT_EQ(half_of_double(65519.99999999), 0x7bff);
  EXPECT_EQ(half_of_double(65520), 0x7c00);
  EXPECT_EQ(half_of_double(-1e300), 0xfc00);
  EXPECT_EQ(half_of_double(-std::numeric_limits<double>::infinity()), 0xfc00);
  EXPECT_EQ(half_of_double(1e-300), 0);
  EXPECT_EQ(half_of_double(-1e-300), 0x8000);
  EXPECT_EQ(half_of_double(std::nextafter(0x1p-25, 1)), 1);
  EXPECT_EQ(half_of_double(0x1p-25), 0);
}

TEST(Bfloat, ConvertsEveryValueAndRoundsToNearest) {
  for (std::uint32_t i = 0; i < 0x7f7f; ++i) {
    const auto low = static_cast<std::uint16_t>(i);
    const auto high = static_cast<std::uint16_t>(i + 1);
    const auto even = i % 2 == 0 ? low : high;
    ASSERT_EQ(bfloat_of_float(float_of_bfloat(low)), low);
    const float middle = float_of_bfloat(low) + (float_of_bfloat(high) - float_of_bfloat(low)) / 2;
    ASSERT_EQ(bfloat_of_float(middle), even);
    ASSERT_EQ(bfloat_of_float(-middle), even | 0x8000);
    ASSERT_EQ(bfloat_of_float(std::nextafter(middle, 0.0F)), low);
    ASSERT_EQ(bfloat_of_float(std::nextafter(middle, std::numeric_limits<float>::infinity())),
              high);
  }
  EXPECT_EQ(bfloat_of_float(std::numeric_limits<float>::quiet_NaN()), 0x7fff);
  EXPECT_EQ(bfloat_of_float(std::numeric_limits<float>::max()), 0x7f80);
}

}  // namespace
}  // namespace heddle
