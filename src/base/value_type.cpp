#include "base/value_type.h"

#include <array>

namespace heddle {
namespace {

struct Description {
  ValueType type;
  std::string_view name;
  int bytes;
  enum Class : std::uint8_t { other, bits, unsigned_integer, signed_integer, floating } kind;
  bool is_packed = false;
};

constexpr std::array kDescriptions = {
    Description{ValueType::none, "none", 0, Description::other},
    Description{ValueType::pred, "pred", 0, Description::other},
    Description{ValueType::b8, "b8", 1, Description::bits},
    Description{ValueType::b16, "b16", 2, Description::bits},
    Description{ValueType::b32, "b32", 4, Description::bits},
    Description{ValueType::b64, "b64", 8, Description::bits},
    Description{ValueType::b128, "b128", 16, Description::bits},
    Description{ValueType::u8, "u8", 1, Description::unsigned_integer},
    Description{ValueType::u16, "u16", 2, Description::unsigned_integer},
    Description{ValueType::u32, "u32", 4, Description::unsigned_integer},
    Description{ValueType::u64, "u64", 8, Description::unsigned_integer},
    Description{ValueType::s8, "s8", 1, Description::signed_integer},
    Description{ValueType::s16, "s16", 2, Description::signed_integer},
    Description{ValueType::s32, "s32", 4, Description::signed_integer},
    Description{ValueType::s64, "s64", 8, Description::signed_integer},
    Description{ValueType::u16x2, "u16x2", 4, Description::unsigned_integer, true},
    Description{ValueType::s16x2, "s16x2", 4, Description::signed_integer, true},
    Description{ValueType::f16, "f16", 2, Description::floating},
    Description{ValueType::f16x2, "f16x2", 4, Description::floating, true},
    Description{ValueType::bf16, "bf16", 2, Description::floating},
    Description{ValueType::bf16x2, "bf16x2", 4, Description::floating, true},
    Description{ValueType::tf32, "tf32", 4, Description::floating},
    Description{ValueType::e4m3x2, "e4m3x2", 2, Description::floating, true},
    Description{ValueType::e5m2x2, "e5m2x2", 2, Description::floating, true},
    Description{ValueType::f32, "f32", 4, Description::floating},
    Description{ValueType::f64, "f64", 8, Description::floating},
    Description{ValueType::texref, "texref", 8, Description::other},
    Description{ValueType::samplerref, "samplerref", 8, Description::other},
    Description{ValueType::surfref, "surfref", 8, Description::other},
};

const Description& describe(ValueType type) {
  return kDescriptions[static_cast<std::size_t>(type)];
}

constexpr bool is_in_enum_order() {
  for (std::size_t i = 0; i < kDescriptions.size(); ++i) {
    if (static_cast<std::size_t>(kDescriptions[i].type) != i) return false;
  }
  return true;
}
static_assert(is_in_enum_order());

}  // namespace

std::string_view name_of(ValueType type) { return describe(type).name; }
int size_of(ValueType type) { return describe(type).bytes; }
bool is_signed_integer(ValueType type) {
  return describe(type).kind == Description::signed_integer;
}
bool is_integer_or_bits(ValueType type) {
  const Description& d = describe(type);
  return !d.is_packed && (d.kind == Description::bits || d.kind == Description::unsigned_integer ||
                          d.kind == Description::signed_integer);
}
bool is_floating(ValueType type) { return describe(type).kind == Description::floating; }
bool is_packed(ValueType type) { return describe(type).is_packed; }
int registers_of(ValueType type) {
  const int size = size_of(type);
  return size <= 4 ? 1 : size / 4;
}

}  // namespace heddle
