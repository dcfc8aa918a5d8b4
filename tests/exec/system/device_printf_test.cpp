#include "exec/system/device_printf.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::exec {
namespace {

/// Formats the values. Adds the number of bytes of each argument to `sizes`, and sets `used` to the
/// number of arguments that were used, if these are not null.
std::string print(std::string_view format, std::vector<std::uint64_t> values,
                  std::vector<int>* sizes = nullptr, int* used = nullptr) {
  std::size_t next = 0;
  int conversions = 0;
  std::string out = format_device_printf(
      format,
      [&](int bytes) {
        if (sizes != nullptr) sizes->push_back(bytes);
        return next < values.size() ? values[next++] : 0;
      },
      [](std::uint64_t pointer) { return "text@" + std::to_string(pointer); }, conversions);
  if (used != nullptr) *used = conversions;
  return out;
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(DevicePrintf, PrintsIntegersOfEveryWidth) {
  EXPECT_EQ(print("%d|%i|%u", {0xffffffff, 7, 0xffffffff}), "-1|7|4294967295");
  EXPECT_EQ(print("%ld %llu", {~std::uint64_t{0}, ~std::uint64_t{0}}), "-1 18446744073709551615");
  EXPECT_EQ(print("%hd %hhu", {0x18000, 0x1ff}), "-32768 255");
  EXPECT_EQ(print("%x %X %#o", {0xbeef, 0xbeef, 8}), "beef BEEF 010");
  EXPECT_EQ(print("%5d|%-5d|%05d|%+d", {42, 42, 42, 42}), "   42|42   |00042|+42");
}

TEST(DevicePrintf, ReadsEightBytesForLongFloatingAndPointerArguments) {
  std::vector<int> sizes;
  print("%d %f %c %s %p %lld %u", {0, 0, 0, 0, 0, 0, 0}, &sizes);
  EXPECT_EQ(sizes, (std::vector<int>{4, 8, 4, 8, 8, 8, 4}));
}

TEST(DevicePrintf, PrintsFloatingPointAsCDoes) {
  EXPECT_EQ(print("%f %.2e %g %8.3f", {bits(1.5), bits(12345.678), bits(1e-7), bits(-3.14159)}),
            "1.500000 1.23e+04 1e-07   -3.142");
  EXPECT_EQ(print("%lf", {bits(0.25)}), "0.250000");
}

TEST(DevicePrintf, PrintsCharactersStringsPointersAndPercentSigns) {
  EXPECT_EQ(print("%c%c 100%% %s %p", {'o', 'k', 4096, 0x1000}), "ok 100% text@4096 0x1000");
  EXPECT_EQ(print("%s %p", {0, 0}), "(null) (nil)");
}

TEST(DevicePrintf, TakesWidthAndPrecisionFromArguments) {
  EXPECT_EQ(print("%*d|%-*d|%.*f", {5, 42, 4, 7, 1, bits(2.25)}), "   42|7   |2.2");
  EXPECT_EQ(print("%*d|", {0xfffffffc, 7}), "7   |")
      << "expected a negative width to align to the left";
  EXPECT_EQ(print("%.*f", {0xffffffff, bits(2.5)}), "2.500000")
      << "expected a negative precision to be ignored";
}

TEST(DevicePrintf, CountsTheArgumentsItUsed) {
  int used = 0;
  print("%d %% %*d", {1, 2, 3}, nullptr, &used);
  EXPECT_EQ(used, 3);
}

TEST(DevicePrintf, PrintsUnknownConversionsUnchanged) {
  EXPECT_EQ(print("%n %y 5%", {}), "%n %y 5%");
  EXPECT_EQ(print("%", {}), "%");
  EXPECT_EQ(print("%-", {}), "%-");
}

TEST(DevicePrintf, LimitsWidthAndPrecision) {
  EXPECT_LE(print("%999999999d", {1}).size(), 5000u);
  EXPECT_LE(print("%*d", {0x7fffffff, 1}).size(), 5000u);
  EXPECT_LE(print("%*d", {0x80000000, 1}).size(), 5000u);
  EXPECT_LE(print("%.999999999f", {bits(1.0)}).size(), 5000u);
}

}  // namespace
}  // namespace heddle::exec
