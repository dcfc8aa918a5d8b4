#include "base/value_type.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(ValueType, HasSizeAndRegisterCount) {
  EXPECT_EQ(size_of(ValueType::u8), 1);
  EXPECT_EQ(size_of(ValueType::f16x2), 4);
  EXPECT_EQ(size_of(ValueType::pred), 0);
  EXPECT_EQ(registers_of(ValueType::u8), 1);
  EXPECT_EQ(registers_of(ValueType::f32), 1);
  EXPECT_EQ(registers_of(ValueType::f64), 2);
  EXPECT_EQ(registers_of(ValueType::b128), 4);
}

TEST(ValueType, ClassifiesTypes) {
  EXPECT_TRUE(is_signed_integer(ValueType::s16));
  EXPECT_FALSE(is_signed_integer(ValueType::b16));
  EXPECT_TRUE(is_integer_or_bits(ValueType::b16));
  EXPECT_FALSE(is_integer_or_bits(ValueType::s16x2));
  EXPECT_TRUE(is_floating(ValueType::bf16x2));
  EXPECT_TRUE(is_packed(ValueType::bf16x2));
  EXPECT_EQ(name_of(ValueType::bf16x2), "bf16x2");
}

}  // namespace
}  // namespace heddle
