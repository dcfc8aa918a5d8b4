#pragma once

// What atomic instructions on 32 and 64 bits compute. A computation is a function object that
// returns the new value of an element. Its parameters are the old value, the operand, the second
// operand (for compare-and-swap) and the AccessTraits. All functions are always inlined, because
// code of exec/lanes calls them (exec/lanes/lanes.h).

#include <cstdint>
#include <type_traits>

#include "base/value_type.h"
#include "code/instruction.h"

namespace heddle::exec {

/// A property of an access that affects the result of some operations.
struct AccessTraits {
  bool is_global = false;  ///< Whether the element is in global, not in shared memory.
};

/// Replaces the bits of a subnormal f32 by those of zero with the same sign.
[[gnu::always_inline]] inline std::uint32_t flush_f32(std::uint32_t bits) {
  return (bits & 0x7f80'0000) == 0 ? bits & 0x8000'0000 : bits;
}

/// f32 addition, rounded to nearest even. On global memory, atom.add.f32 flushes subnormal inputs
/// and results to zero of the same sign; on shared memory it does not (PTX ISA, atom).
struct AddF32 {
  [[gnu::always_inline]] std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t,
                                                  AccessTraits traits) const {
    const bool flushes = traits.is_global;
    const float x = __builtin_bit_cast(float, flushes ? flush_f32(a) : a);
    const float y = __builtin_bit_cast(float, flushes ? flush_f32(b) : b);
    const float sum = x + y;
    const auto bits = __builtin_bit_cast(std::uint32_t, sum);
    const std::uint32_t number = flushes ? flush_f32(bits) : bits;
    return sum != sum ? 0x7fff'ffff : number;
  }
};

/// f64 addition of the old value `a` and the operand `b`. On global memory, a NaN is returned
/// unchanged; if both are NaN, the result is the operand. On shared memory, where the
/// multiprocessor adds, a NaN is made quiet; if both are NaN, the result is the old value.
struct AddF64 {
  [[gnu::always_inline]] std::uint64_t operator()(std::uint64_t a, std::uint64_t b, std::uint64_t,
                                                  AccessTraits traits) const {
    const auto x = __builtin_bit_cast(double, a);
    const auto y = __builtin_bit_cast(double, b);
    const double sum = x + y;
    if (sum == sum) return __builtin_bit_cast(std::uint64_t, sum);
    constexpr std::uint64_t kQuiet = 0x0008'0000'0000'0000;
    if (traits.is_global && y != y) return b;
    if (x != x) return traits.is_global ? a : a | kQuiet;
    return y != y ? b | kQuiet : 0xfff8'0000'0000'0000;
  }
};

#define HEDDLE_ATOMIC(expression)                                                        \
  use([]([[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c, AccessTraits) \
          __attribute__((always_inline))                                                 \
              ->T { return static_cast<T>(expression); })

/// Returns use(compute), where `compute` is the computation of an operation on unsigned integers.
template <class T, class Result, class Use>
Result with_integer_atomic(code::Reduction reduction, Use use) {
  using code::Reduction;
  switch (reduction) {
    case Reduction::and_:
      return HEDDLE_ATOMIC(a & b);
    case Reduction::or_:
      return HEDDLE_ATOMIC(a | b);
    case Reduction::xor_:
      return HEDDLE_ATOMIC(a ^ b);
    case Reduction::add:
      return HEDDLE_ATOMIC(a + b);
    case Reduction::min:
      return HEDDLE_ATOMIC(a < b ? a : b);
    case Reduction::max:
      return HEDDLE_ATOMIC(a > b ? a : b);
    case Reduction::increment:
      return HEDDLE_ATOMIC(a >= b ? 0 : a + 1);
    case Reduction::decrement:
      return HEDDLE_ATOMIC(a == 0 || a > b ? b : a - 1);
    case Reduction::exchange:
      return HEDDLE_ATOMIC(b);
    case Reduction::compare_and_swap:
      return HEDDLE_ATOMIC(a == b ? c : a);
  }
  return {};
}

/// As above, for signed integers, whose bits have type T.
template <class T, class Result, class Use>
Result with_signed_atomic(code::Reduction reduction, Use use) {
  using S = std::make_signed_t<T>;
  switch (reduction) {
    case code::Reduction::min:
      return HEDDLE_ATOMIC(static_cast<S>(a) < static_cast<S>(b) ? a : b);
    case code::Reduction::max:
      return HEDDLE_ATOMIC(static_cast<S>(a) > static_cast<S>(b) ? a : b);
    default:
      return with_integer_atomic<T, Result>(reduction, use);
  }
}
#undef HEDDLE_ATOMIC

/// Whether the operation's result depends on the bits of its operands only, not on their type.
constexpr bool is_bitwise(code::Reduction reduction) {
  using code::Reduction;
  return reduction == Reduction::and_ || reduction == Reduction::or_ ||
         reduction == Reduction::xor_ || reduction == Reduction::exchange ||
         reduction == Reduction::compare_and_swap;
}

/// Returns use.template operator()<T>(compute) for an operation on 32 or 64 bits, where T is the
/// unsigned integer of that size. Returns {} if there is no such operation; half precision is not
/// included.
template <class Result, class Use>
Result with_word_atomic(ValueType type, code::Reduction reduction, Use use) {
  const auto use_32 = [&](auto compute) -> Result {
    return use.template operator()<std::uint32_t>(compute);
  };
  const auto use_64 = [&](auto compute) -> Result {
    return use.template operator()<std::uint64_t>(compute);
  };
  if (is_bitwise(reduction)) {
    if (size_of(type) == 4) return with_integer_atomic<std::uint32_t, Result>(reduction, use_32);
    if (size_of(type) == 8) return with_integer_atomic<std::uint64_t, Result>(reduction, use_64);
    return {};
  }
  switch (type) {
    case ValueType::f32:
      return reduction == code::Reduction::add ? use_32(AddF32{}) : Result{};
    case ValueType::f64:
      return reduction == code::Reduction::add ? use_64(AddF64{}) : Result{};
    case ValueType::s32:
      return with_signed_atomic<std::uint32_t, Result>(reduction, use_32);
    case ValueType::s64:
      return with_signed_atomic<std::uint64_t, Result>(reduction, use_64);
    case ValueType::u32:
    case ValueType::b32:
      return with_integer_atomic<std::uint32_t, Result>(reduction, use_32);
    case ValueType::u64:
    case ValueType::b64:
      return with_integer_atomic<std::uint64_t, Result>(reduction, use_64);
    default:
      return {};
  }
}

}  // namespace heddle::exec
