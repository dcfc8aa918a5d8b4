#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

/// The value types of PTX and of Heddle's machine code.
enum class ValueType : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  u16x2,
  s16x2,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  e4m3x2,
  e5m2x2,
  f32,
  f64,
  texref,
  samplerref,
  surfref,
};

/// The type's name as PTX writes it, without the dot.
std::string_view name_of(ValueType type);
/// The size in bytes; 0 for `none` and `pred`. Both elements of a packed type count.
int size_of(ValueType type);
bool is_signed_integer(ValueType type);
/// True for s*, u* and b* types of one element.
bool is_integer_or_bits(ValueType type);
/// True for f16, bf16, tf32, f32, f64 and the packed floating-point types.
bool is_floating(ValueType type);
/// True for types with two elements in 32 bits (or in 16 bits: e4m3x2, e5m2x2).
bool is_packed(ValueType type);
/// The number of 32-bit registers that a value occupies: 1, 2 or 4. It is 1 for `pred` and `none`,
/// too.
int registers_of(ValueType type);

}  // namespace heddle
