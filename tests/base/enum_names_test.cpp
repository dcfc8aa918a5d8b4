#include "base/enum_names.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

enum class Tide { low, rising, high };
constexpr EnumArray<Tide, std::string_view, values_up_to(Tide::high)> kTides{
    {"low", "rising", "high"}};

TEST(EnumNames, FindValueByName) {
  EXPECT_EQ(value_named("low", kTides), Tide::low);
  EXPECT_EQ(value_named("rising", kTides), Tide::rising);
  EXPECT_EQ(value_named("high", kTides), Tide::high);
}

}  // namespace
}  // namespace heddle
