// Integer arithmetic. Additions with a carry are in carry.cpp, and bit manipulation is in bits.cpp.

#include "base/value_type.h"
#include "exec/lanes/by_type.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;

/// The upper half of the product.
template <class T>
[[gnu::always_inline]] inline T high_product(T a, T b) {
  return static_cast<T>(static_cast<Wider<T>>(a) * b >> kBits<T>);
}

/// The product of the low 24 bits of a and b. T determines whether these are signed.
template <class T>
[[gnu::always_inline]] inline Wider<T> product_24(T a, T b) {
  const auto low_24 = [](T x) { return static_cast<T>(modular(x) << 8) >> 8; };
  return static_cast<Wider<T>>(low_24(a)) * low_24(b);
}
template <class T>
[[gnu::always_inline]] inline T high_product_24(T a, T b) {
  return static_cast<T>(product_24(a, b) >> 16);
}

/// Whether the vector unit has all instructions that quotient() needs to divide in double.
#if defined(__AVX512DQ__)
constexpr bool kDividesDoublesAsVectors = true;
#else
constexpr bool kDividesDoublesAsVectors = false;
#endif

/// Integer division. For a division by zero, the quotient and the remainder are all ones, as in the
/// code of NVIDIA's compiler. The smallest signed integer divided by -1 is itself. Vector units
/// divide doubles, but not integers. A quotient of 32 bits or fewer is therefore computed in double
/// and truncated, which is exact.
template <class T>
[[gnu::always_inline]] inline T quotient(T a, T b) {
  if constexpr (sizeof(T) < 8 && kDividesDoublesAsVectors) {
    const T ones = static_cast<T>(b == 0 ? -1 : 0);
    const double exact = static_cast<double>(a) / static_cast<double>(static_cast<T>(b | ones));
    return static_cast<T>(static_cast<T>(static_cast<std::int64_t>(exact)) | ones);
  } else {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0 - modular(a));
    return static_cast<T>(a / b);
  }
}
template <class T>
[[gnu::always_inline]] inline T remainder(T a, T b) {
  const auto difference = modular(a) - modular(quotient(a, b)) * modular(b);
  return b == 0 ? static_cast<T>(-1) : static_cast<T>(difference);
}

/// The handler that applies `Computation` to both halves of packed values. T is the type of a half.
template <class T, class Computation>
Handler packed(Computation) {
  return lanes_handler<std::uint32_t, std::uint32_t, std::uint32_t>(
      [](std::uint32_t a, std::uint32_t b) {
        const auto half = [](std::uint32_t x, std::uint32_t y) {
          return static_cast<std::uint16_t>(Computation{}(static_cast<T>(x), static_cast<T>(y)));
        };
        return half(a, b) | std::uint32_t{half(a >> 16, b >> 16)} << 16;
      });
}
template <class Computation>
Handler packed(ValueType type, Computation compute) {
  if (type == ValueType::u16x2) return packed<std::uint16_t>(compute);
  return type == ValueType::s16x2 ? packed<std::int16_t>(compute) : nullptr;
}

Handler select_add(const Instruction& i) {
  if (i.saturate) {
    if (i.type != ValueType::s32) return nullptr;
    return same_type<std::int32_t, 2>(
        [](std::int64_t a, std::int64_t b) { return saturated(a + b); });
  }
  if (is_packed(i.type)) return packed(i.type, [](auto a, auto b) { return a + b; });
  return by_width<2>(
      i.type, [](auto a, auto b) { return a + b; },
      [](Pair a, Pair b) {
        const std::uint32_t low = a.low + b.low;
        return Pair{low, a.high + b.high + (low < a.low ? 1U : 0U)};
      });
}

Handler select_sub(const Instruction& i) {
  if (i.saturate) {
    if (i.type != ValueType::s32) return nullptr;
    return same_type<std::int32_t, 2>(
        [](std::int64_t a, std::int64_t b) { return saturated(a - b); });
  }
  if (is_packed(i.type)) return packed(i.type, [](auto a, auto b) { return a - b; });
  return by_width<2>(
      i.type, [](auto a, auto b) { return a - b; },
      [](Pair a, Pair b) {
        return Pair{a.low - b.low, a.high - b.high - (a.low < b.low ? 1U : 0U)};
      });
}

/// The handler of min or max. With .relu, a negative result is replaced by zero.
template <class Computation>
Handler select_extreme(const Instruction& i, Computation compute) {
  if (i.relu) {
    const auto relu = [](auto a, auto b) {
      const auto result = Computation{}(a, b);
      return result < 0 ? 0 : result;
    };
    if (i.type == ValueType::s32) return same_type<std::int32_t, 2>(relu);
    return i.type == ValueType::s16x2 ? packed<std::int16_t>(relu) : nullptr;
  }
  return is_packed(i.type) ? packed(i.type, compute) : by_type<2>(i.type, compute);
}

Handler select_mad_hi(const Instruction& i) {
  if (i.saturate) {
    if (i.type != ValueType::s32) return nullptr;
    return same_type<std::int32_t, 3>([](std::int32_t a, std::int32_t b, std::int64_t c) {
      return saturated(high_product(a, b) + c);
    });
  }
  return by_type<3>(
      i.type, [](auto a, auto b, auto c) { return modular(high_product(a, b)) + modular(c); });
}

Handler select_wide(const Instruction& i) {
  const bool add = i.operation == Operation::mad_wide;
  return with_integer(i.type, [=]<class T>() -> Handler {
    if constexpr (sizeof(T) < 8) {
      using W = Wider<T>;
      if (!add) return lanes_handler<W, T, T>([](W a, W b) { return a * b; });
      return lanes_handler<W, T, T, W>([](W a, W b, W c) { return modular(a * b) + modular(c); });
    } else {
      return nullptr;
    }
  });
}

template <class T>
Handler select_24(const Instruction& i) {
  switch (i.operation) {
    case Operation::mul24_lo:
      return same_type<T, 2>([](T a, T b) { return product_24(a, b); });
    case Operation::mul24_hi:
      return same_type<T, 2>([](T a, T b) { return high_product_24(a, b); });
    case Operation::mad24_lo:
      return same_type<T, 3>([](T a, T b, T c) { return modular(product_24(a, b)) + modular(c); });
    default:
      break;
  }
  if (!i.saturate) {
    return same_type<T, 3>(
        [](T a, T b, T c) { return modular(high_product_24(a, b)) + modular(c); });
  }
  if constexpr (std::is_signed_v<T>) {
    return same_type<T, 3>(
        [](T a, T b, std::int64_t c) { return saturated(high_product_24(a, b) + c); });
  }
  return nullptr;
}

bool can_saturate(Operation operation) {
  return operation == Operation::add || operation == Operation::sub ||
         operation == Operation::mad_hi || operation == Operation::mad24_hi;
}

}  // namespace

Handler select_integer(const Instruction& i) {
  if (i.carry_in || i.carry_out || (i.saturate && !can_saturate(i.operation))) return nullptr;
  switch (i.operation) {
    case Operation::add:
      return select_add(i);
    case Operation::sub:
      return select_sub(i);
    case Operation::mul_lo:
      return by_width<2>(i.type, [](auto a, auto b) { return a * b; });
    case Operation::mad_lo:
      return by_width<3>(i.type, [](auto a, auto b, auto c) { return a * b + c; });
    case Operation::mul_hi:
      return by_type<2>(i.type, [](auto a, auto b) { return high_product(a, b); });
    case Operation::mad_hi:
      return select_mad_hi(i);
    case Operation::mul_wide:
    case Operation::mad_wide:
      return select_wide(i);
    case Operation::mul24_lo:
    case Operation::mul24_hi:
    case Operation::mad24_lo:
    case Operation::mad24_hi:
      if (i.type == ValueType::u32) return select_24<std::uint32_t>(i);
      return i.type == ValueType::s32 ? select_24<std::int32_t>(i) : nullptr;
    case Operation::sad:
      return by_type<3>(i.type, [](auto a, auto b, auto c) {
        return modular(c) + (a < b ? modular(b) - modular(a) : modular(a) - modular(b));
      });
    case Operation::div:
      return by_type<2>(i.type, [](auto a, auto b) { return quotient(a, b); });
    case Operation::rem:
      return by_type<2>(i.type, [](auto a, auto b) { return remainder(a, b); });
    case Operation::min:
      return select_extreme(i, [](auto a, auto b) { return a < b ? a : b; });
    case Operation::max:
      return select_extreme(i, [](auto a, auto b) { return a > b ? a : b; });
    case Operation::abs:
      if (!is_signed_integer(i.type)) return nullptr;
      return by_type<1>(i.type, [](auto a) { return a < 0 ? 0 - modular(a) : modular(a); });
    case Operation::neg:
      return by_width<1>(i.type, [](auto a) { return 0 - a; });
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
