// f32 and f64 arithmetic; see floating.h for what is the same in all formats.

#include "exec/lanes/families.h"
#include "exec/lanes/floating.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;
using code::Rounding;

template <bool kFlush, bool kSaturate>
struct Single {
  using Register = float;

  [[gnu::always_inline]] static float read(float operand) {
    return kFlush ? flush(operand) : operand;
  }
  [[gnu::always_inline]] static float write(float result) {
    const float flushed = kFlush ? flush(result) : result;
    return kSaturate ? saturate(flushed) : canonical(flushed);
  }
  template <class Meaning, class... Operand>
  [[gnu::always_inline]] static float apply(Meaning meaning, Operand... operand) {
    return write(meaning(read(operand)...));
  }
};

struct Double {
  using Register = double;

  template <class Meaning, class... Operand>
  [[gnu::always_inline]] static double apply(Meaning meaning, Operand... operand) {
    const double result = meaning(operand...);
    return __builtin_bit_cast(double, is_nan(result) ? nan_of(operand...) : bits_of(result));
  }
};

/// Where a result that is NaN was chosen by the meaning itself.
struct ChosenDouble {
  using Register = double;

  template <class Meaning, class... Operand>
  [[gnu::always_inline]] static double apply(Meaning meaning, Operand... operand) {
    const double result = meaning(operand...);
    return __builtin_bit_cast(double, is_nan(result) ? nan_of(result) : bits_of(result));
  }
};

template <class DoubleNumber, std::size_t kCount, bool kDirected, class Meaning>
Handler handler_for(const Instruction& instruction, Meaning meaning) {
  const bool flushing = instruction.flush_subnormals;
  const bool saturating = instruction.saturate;
  if (instruction.type == ValueType::f64) {
    if (flushing || saturating) return nullptr;
    return number_handler<DoubleNumber, kCount, kDirected>(meaning);
  }
  if (flushing) {
    return saturating ? number_handler<Single<true, true>, kCount, kDirected>(meaning)
                      : number_handler<Single<true, false>, kCount, kDirected>(meaning);
  }
  return saturating ? number_handler<Single<false, true>, kCount, kDirected>(meaning)
                    : number_handler<Single<false, false>, kCount, kDirected>(meaning);
}

/// Of a meaning whose result is rounded. What `directed` does is what `meaning` does, but it may be
/// run under any rounding mode.
template <std::size_t kCount, class Meaning, class Directed>
Handler arithmetic(const Instruction& instruction, Meaning meaning, Directed directed) {
  switch (instruction.rounding) {
    case Rounding::nearest:
      return handler_for<Double, kCount, false>(instruction, meaning);
    case Rounding::zero:
    case Rounding::down:
    case Rounding::up:
      return handler_for<Double, kCount, true>(instruction, directed);
    case Rounding::nearest_away:
      break;
  }
  return nullptr;
}
template <std::size_t kCount, class Meaning>
Handler arithmetic(const Instruction& instruction, Meaning meaning) {
  return arithmetic<kCount>(instruction, meaning, meaning);
}

/// Of a meaning whose result is one of its operands, but for the sign.
template <std::size_t kCount, class Meaning>
Handler choice(const Instruction& instruction, Meaning meaning) {
  if (instruction.saturate) return nullptr;
  return handler_for<ChosenDouble, kCount, false>(instruction, meaning);
}

[[gnu::always_inline]] inline float square_root(float a) { return __builtin_sqrtf(a); }
[[gnu::always_inline]] inline double square_root(double a) { return __builtin_sqrt(a); }
// The fused multiply-add of the processor or of the C library, right in every rounding mode.
[[gnu::always_inline]] inline float fused_any_mode(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
[[gnu::always_inline]] inline double fused_any_mode(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

template <bool kMaximum, bool kNan, bool kXorSign>
Handler extreme_handler(const Instruction& instruction) {
  const auto meaning = [](auto... operand) {
    return extreme_of<kMaximum, kNan, kXorSign>(operand...);
  };
  switch (instruction.sources.size()) {
    case 2:
      return choice<2>(instruction, meaning);
    case 3:
      return choice<3>(instruction, meaning);
    default:
      return nullptr;
  }
}

template <bool kMaximum>
Handler extreme_handler(const Instruction& instruction) {
  if (instruction.relu) return nullptr;
  if (instruction.propagate_nan) {
    return instruction.xorsign_abs ? extreme_handler<kMaximum, true, true>(instruction)
                                   : extreme_handler<kMaximum, true, false>(instruction);
  }
  return instruction.xorsign_abs ? extreme_handler<kMaximum, false, true>(instruction)
                                 : extreme_handler<kMaximum, false, false>(instruction);
}

Handler copysign_handler(const Instruction& instruction) {
  const auto meaning = [](auto sign, auto value) { return with_sign_of(absolute(value), sign); };
  return instruction.type == ValueType::f64 ? lanes_handler<double, double, double>(meaning)
                                            : lanes_handler<float, float, float>(meaning);
}

}  // namespace

Handler select_float(const Instruction& instruction) {
  if (instruction.type != ValueType::f32 && instruction.type != ValueType::f64) return nullptr;
  if (instruction.approximate || instruction.full_range) return nullptr;
  switch (instruction.operation) {
    case Operation::add:
      return arithmetic<2>(instruction, [](auto a, auto b) { return a + b; });
    case Operation::sub:
      return arithmetic<2>(instruction, [](auto a, auto b) { return a - b; });
    case Operation::mul_lo:
      return arithmetic<2>(instruction, [](auto a, auto b) { return a * b; });
    case Operation::fma:
      return arithmetic<3>(
          instruction, [](auto a, auto b, auto c) { return fused(a, b, c); },
          [](auto a, auto b, auto c) { return fused_any_mode(a, b, c); });
    case Operation::div:
      return arithmetic<2>(instruction, [](auto a, auto b) { return a / b; });
    case Operation::rcp:
      return arithmetic<1>(instruction, [](auto a) { return 1 / a; });
    case Operation::sqrt:
      return arithmetic<1>(instruction, [](auto a) { return square_root(a); });
    case Operation::abs:
      return choice<1>(instruction, [](auto a) { return absolute(a); });
    case Operation::neg:
      return choice<1>(instruction, [](auto a) { return negate(a); });
    case Operation::min:
      return extreme_handler<false>(instruction);
    case Operation::max:
      return extreme_handler<true>(instruction);
    case Operation::copysign:
      return copysign_handler(instruction);
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
