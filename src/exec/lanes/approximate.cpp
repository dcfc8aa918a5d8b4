// The approximate instructions (.approx and .full) on f32 and f64. PTX bounds their errors and
// specifies their results for special values. Here, the result of an f32 instruction is nearly
// always the float nearest to the exact value.

#include "exec/lanes/elementary.h"
#include "exec/lanes/families.h"
#include "exec/lanes/floating.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;

/// The format of an f32 operation (number_handler() in floating.h) that is computed in `Work`,
/// which is float or double.
template <class Work, bool kFlush>
struct Approximate {
  using Register = float;

  template <class Computation, class... Operand>
  [[gnu::always_inline]] static float apply(Computation compute, Operand... operand) {
    const auto result =
        static_cast<float>(compute(static_cast<Work>(kFlush ? flush(operand) : operand)...));
    return canonical(kFlush ? flush(result) : result);
  }
};

template <class Work, std::size_t kSources, class Computation>
Handler approximate(const Instruction& instruction, Computation compute) {
  if (instruction.type != ValueType::f32 || instruction.saturate) return nullptr;
  return instruction.flush_subnormals ? number_handler<Approximate<Work, true>, kSources>(compute)
                                      : number_handler<Approximate<Work, false>, kSources>(compute);
}

/// Returns a * (1 / b), where a subnormal reciprocal of an f32 is replaced by zero. For |b| above
/// 2^126, the quotient is therefore 0, or NaN if a is infinite.
[[gnu::always_inline]] inline double quotient(double a, double b) {
  const double reciprocal = 1 / b;
  const double zero = with_sign_of(0.0, b);
  return a * (absolute(b) > 0x1p126 ? zero : reciprocal);
}

constexpr std::uint64_t kHighWord = 0xffff'ffff'0000'0000;

[[gnu::always_inline]] inline double flush_double(double value) {
  return absolute(value) < 0x1p-1022 ? with_sign_of(0.0, value) : value;
}
[[gnu::always_inline]] inline double with_bits(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}

/// The format of an f64 operation that uses only the high 32 bits of its operand and of its result.
/// These contain 20 bits of the fraction.
struct HighWord {
  using Register = double;
  static constexpr std::uint64_t kNan = 0x7fff'ffff'0000'0000;

  template <class Computation>
  [[gnu::always_inline]] static double apply(Computation compute, double operand) {
    const double high_part = flush_double(with_bits(bits_of(operand) & kHighWord));
    const double result = compute(high_part);
    const double rounded = flush_double(with_bits((bits_of(result) + 0x8000'0000) & kHighWord));
    const auto invalid =
        all_if<std::uint64_t>(is_nan(operand)) | all_if<std::uint64_t>(is_nan(result));
    return with_bits(blend(invalid, kNan, bits_of(rounded)));
  }
};

/// The format of an f64 operation that uses all bits.
struct WholeDouble {
  using Register = double;

  template <class Computation>
  [[gnu::always_inline]] static double apply(Computation compute, double operand) {
    const double result = compute(operand);
    return __builtin_bit_cast(double, is_nan(result) ? nan_of(operand) : bits_of(result));
  }
};

Handler select_double(const Instruction& instruction) {
  if (instruction.operation == Operation::rcp && instruction.flush_subnormals) {
    return number_handler<HighWord, 1>([](double a) { return 1 / a; });
  }
  if (instruction.operation == Operation::rsqrt) {
    const auto compute = [](double a) { return 1 / __builtin_sqrt(a); };
    return instruction.flush_subnormals ? number_handler<HighWord, 1>(compute)
                                        : number_handler<WholeDouble, 1>(compute);
  }
  return nullptr;
}

}  // namespace

Handler select_approximate(const Instruction& instruction) {
  const bool approximate_form = instruction.approximate;
  if (instruction.type == ValueType::f64 && approximate_form) return select_double(instruction);
  switch (instruction.operation) {
    case Operation::div:
      if (instruction.full_range) {
        return approximate<float, 2>(instruction, [](float a, float b) { return a / b; });
      }
      if (!approximate_form) return nullptr;
      return approximate<double, 2>(instruction, [](double a, double b) { return quotient(a, b); });
    case Operation::rcp:
      if (!approximate_form) return nullptr;
      return approximate<float, 1>(instruction, [](float a) { return 1 / a; });
    case Operation::sqrt:
      if (!approximate_form) return nullptr;
      return approximate<float, 1>(instruction, [](float a) { return __builtin_sqrtf(a); });
    case Operation::rsqrt:
      return approximate<double, 1>(instruction, [](double a) { return 1 / __builtin_sqrt(a); });
    case Operation::sin:
      return approximate<double, 1>(instruction, [](double a) { return sin_of(a); });
    case Operation::cos:
      return approximate<double, 1>(instruction, [](double a) { return cos_of(a); });
    case Operation::lg2:
      return approximate<double, 1>(instruction, [](double a) { return log2_of(a); });
    case Operation::ex2:
      return approximate<double, 1>(instruction, [](double a) { return exp2_of(a); });
    case Operation::tanh:
      return approximate<double, 1>(instruction, [](double a) { return tanh_of(a); });
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
