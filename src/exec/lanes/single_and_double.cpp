// f32 and f64 arithmetic; floating.h has the rules that all formats share.

#include "exec/lanes/families.h"
#include "exec/lanes/floating.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;
using code::Rounding;

/// A nonzero subnormal f32 multiplied by this factor is normal.
constexpr float kRaise = 0x1p24F;

// For an operation whose result may be rounded to a subnormal number, raised() computes the result
// times kRaise. This value is not rounded to a subnormal, and decides whether the result is flushed
// (see floating.h).
struct Product {
  template <class Float>
  [[gnu::always_inline]] Float operator()(Float a, Float b) const {
    return a * b;
  }
  [[gnu::always_inline]] static float raised(float a, float b) { return a * kRaise * b; }
};
struct Quotient {
  template <class Float>
  [[gnu::always_inline]] Float operator()(Float a, Float b) const {
    return a / b;
  }
  [[gnu::always_inline]] static float raised(float a, float b) { return a * kRaise / b; }
};
struct Reciprocal {
  template <class Float>
  [[gnu::always_inline]] Float operator()(Float a) const {
    return 1 / a;
  }
  [[gnu::always_inline]] static float raised(float a) { return kRaise / a; }
};
struct Fused {
  template <class Float>
  [[gnu::always_inline]] Float operator()(Float a, Float b, Float c) const {
    return fused(a, b, c);
  }
  [[gnu::always_inline]] static float raised(float a, float b, float c) {
    return fused(a * kRaise, b, c * kRaise);
  }
};
/// As Fused, but correct in every rounding mode: it uses the host processor's or the C library's
/// fused multiply-add.
struct FusedInAnyMode {
  [[gnu::always_inline]] float operator()(float a, float b, float c) const {
    return __builtin_fmaf(a, b, c);
  }
  [[gnu::always_inline]] double operator()(double a, double b, double c) const {
    return __builtin_fma(a, b, c);
  }
  [[gnu::always_inline]] static float raised(float a, float b, float c) {
    return __builtin_fmaf(a * kRaise, b, c * kRaise);
  }
};

/// The format of f32 operations, for number_handler() in floating.h.
template <bool kFlush, bool kSaturate>
struct Single {
  using Register = float;

  [[gnu::always_inline]] static float read(float operand) {
    return kFlush ? flush(operand) : operand;
  }
  template <class Computation, class... Operand>
  [[gnu::always_inline]] static float result(Computation compute, Operand... operand) {
    const float rounded = compute(operand...);
    if constexpr (!kFlush) {
      return rounded;
    } else if constexpr (requires { Computation::raised(operand...); }) {
      const bool tiny = absolute(Computation::raised(operand...)) < 0x1p-126F * kRaise;
      return __builtin_bit_cast(float,
                                bits_of(rounded) & (tiny ? kSignBit<float> : ~std::uint32_t{0}));
    } else {
      return flush(rounded);
    }
  }
  template <class Computation, class... Operand>
  [[gnu::always_inline]] static float apply(Computation compute, Operand... operand) {
    const float flushed = result(compute, read(operand)...);
    return kSaturate ? saturate(flushed) : canonical(flushed);
  }
};

/// The format of f64 operations.
struct Double {
  using Register = double;

  template <class Computation, class... Operand>
  [[gnu::always_inline]] static double apply(Computation compute, Operand... operand) {
    const double result = compute(operand...);
    return __builtin_bit_cast(double, is_nan(result) ? chosen_nan(operand...) : bits_of(result));
  }
};

/// The format of f64 quotients, which choose among NaN operands in a different order.
struct DividedDouble {
  using Register = double;

  template <class Computation>
  [[gnu::always_inline]] static double apply(Computation compute, double a, double b) {
    const double result = compute(a, b);
    return __builtin_bit_cast(double, is_nan(result) ? nan_of(a, b) : bits_of(result));
  }
};

template <class DoubleNumber, std::size_t kSources, bool kDirected, class Computation>
Handler handler_for(const Instruction& instruction, Computation compute) {
  const bool flushing = instruction.flush_subnormals;
  const bool saturating = instruction.saturate;
  if (instruction.type == ValueType::f64) {
    if (flushing || saturating) return nullptr;
    return number_handler<DoubleNumber, kSources, kDirected>(compute);
  }
  if (flushing) {
    return saturating ? number_handler<Single<true, true>, kSources, kDirected>(compute)
                      : number_handler<Single<true, false>, kSources, kDirected>(compute);
  }
  return saturating ? number_handler<Single<false, true>, kSources, kDirected>(compute)
                    : number_handler<Single<false, false>, kSources, kDirected>(compute);
}

/// The handler of a computation whose result is rounded. `directed` computes the same result as
/// `compute`, but is correct in every rounding mode of the host.
template <std::size_t kSources, class DoubleNumber, class Computation, class Directed>
Handler arithmetic(const Instruction& instruction, Computation compute, Directed directed) {
  switch (instruction.rounding) {
    case Rounding::nearest:
      return handler_for<DoubleNumber, kSources, false>(instruction, compute);
    case Rounding::zero:
    case Rounding::down:
    case Rounding::up:
      return handler_for<DoubleNumber, kSources, true>(instruction, directed);
    case Rounding::nearest_away:
      break;
  }
  return nullptr;
}
template <std::size_t kSources, class DoubleNumber = Double, class Computation>
Handler arithmetic(const Instruction& instruction, Computation compute) {
  return arithmetic<kSources, DoubleNumber>(instruction, compute, compute);
}

/// The handler of a computation whose result is one of its operands, perhaps with another sign.
template <std::size_t kSources, class Computation>
Handler choice(const Instruction& instruction, Computation compute) {
  if (instruction.saturate) return nullptr;
  return handler_for<Double, kSources, false>(instruction, compute);
}

[[gnu::always_inline]] inline float square_root(float a) { return __builtin_sqrtf(a); }
[[gnu::always_inline]] inline double square_root(double a) { return __builtin_sqrt(a); }

template <bool kMaximum, bool kNan, bool kXorSign>
Handler extreme_handler(const Instruction& instruction) {
  const auto compute = [](auto... operand) {
    return extreme_of<kMaximum, kNan, kXorSign>(operand...);
  };
  switch (instruction.sources.size()) {
    case 2:
      return choice<2>(instruction, compute);
    case 3:
      return choice<3>(instruction, compute);
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
  const auto compute = [](auto sign, auto value) { return with_sign_of(absolute(value), sign); };
  return instruction.type == ValueType::f64 ? lanes_handler<double, double, double>(compute)
                                            : lanes_handler<float, float, float>(compute);
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
      return arithmetic<2>(instruction, Product{});
    case Operation::fma:
      return arithmetic<3, Double>(instruction, Fused{}, FusedInAnyMode{});
    case Operation::div:
      return arithmetic<2, DividedDouble>(instruction, Quotient{});
    case Operation::rcp:
      return arithmetic<1>(instruction, Reciprocal{});
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
