// Arithmetic on f16, f16x2, bf16 and bf16x2. f16 is computed in float, and bf16 in double. Products
// are exact in these types. Sums are exact, or have so many more digits than the 16-bit format that
// rounding twice equals rounding once. In a fused multiply-add, the sum is first rounded to odd
// (to_odd() in floating.h).

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <utility>

#include "exec/lanes/elementary.h"
#include "exec/lanes/families.h"
#include "exec/lanes/small_float.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;
using code::Rounding;

/// How the instruction limits its result.
enum class Limit : std::uint8_t { none, saturate, relu };

/// The format of one value, for number_handler() in floating.h. F is F16 or Bf16, and `Work` the
/// type in which values are computed.
template <class F, class Work, bool kFlush, Limit kLimit>
struct Scalar {
  using Register = std::uint16_t;

  [[gnu::always_inline]] static Work read(std::uint32_t code) {
    return static_cast<Work>(widen<F>(kFlush ? flush_code<F>(code) : code));
  }
  [[gnu::always_inline]] static std::uint32_t write(Work result) {
    if constexpr (kLimit == Limit::saturate) result = saturate(result);
    if constexpr (kLimit == Limit::relu) result = relu(result);
    const std::uint32_t code = narrow<F>(result);
    return kFlush && is_tiny<F>(static_cast<double>(result)) ? code & F::kSign : code;
  }
  template <class Computation, class... Operand>
  [[gnu::always_inline]] static std::uint16_t apply(Computation compute, Operand... operand) {
    return static_cast<std::uint16_t>(write(compute(read(operand)...)));
  }
};

/// The format of two values in one register. `One` is the format of each.
template <class One>
struct Packed {
  using Register = std::uint32_t;

  template <class Computation, class... Operand>
  [[gnu::always_inline]] static std::uint32_t apply(Computation compute, Operand... operand) {
    const std::uint32_t low = One::write(compute(One::read(operand)...));
    const std::uint32_t high = One::write(compute(One::read(operand >> 16)...));
    return low | high << 16;
  }
};

template <class One, std::size_t kSources, class Computation>
Handler scalar_or_packed(const Instruction& instruction, Computation compute) {
  return is_packed(instruction.type) ? number_handler<Packed<One>, kSources>(compute)
                                     : number_handler<One, kSources>(compute);
}

#if defined(__F16C__)
/// The values of an f16x2 register: both halves of each lane, in the order of the host's memory.
struct HalfValues {
  alignas(64) float value[64];
};

[[gnu::always_inline]] inline void widen_halves(const std::uint32_t* words, HalfValues& out) {
  for (int i = 0; i < 64; i += 8) {
    const __m128i codes = _mm_load_si128(reinterpret_cast<const __m128i*>(words + i / 2));
    _mm256_store_ps(out.value + i, _mm256_cvtph_ps(codes));
  }
}

/// Rounds values, among which each NaN is the canonical one, to nearest.
[[gnu::always_inline]] inline void narrow_halves(const HalfValues& values, std::uint32_t* words) {
  for (int i = 0; i < 64; i += 8) {
    const __m128i codes =
        _mm256_cvtps_ph(_mm256_load_ps(values.value + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_store_si128(reinterpret_cast<__m128i*>(words + i / 2), codes);
  }
}

/// Computes on f16x2 without .ftz, with the host's conversions of halves. They differ from
/// widen() and narrow() only in the bits of NaNs, which canonical() makes equal.
template <Limit kLimit, class Computation, std::size_t... I>
[[gnu::always_inline]] inline void compute_halves(WarpContext& context, const Decoded& decoded,
                                                  std::index_sequence<I...>) {
  HalfValues operands[sizeof...(I)];
  (widen_halves(context.lanes(decoded.source[I]), operands[I]), ...);
  HalfValues results;
  HEDDLE_LANE_LOOP
  for (int i = 0; i < 64; ++i) {
    float result = Computation{}(operands[I].value[i]...);
    if constexpr (kLimit == Limit::saturate) result = saturate(result);
    if constexpr (kLimit == Limit::relu) result = relu(result);
    results.value[i] = canonical(result);
  }
  std::uint32_t* const out = context.lanes(decoded.destination[0]);
  if (context.active == kAllLanes) return narrow_halves(results, out);
  alignas(64) std::uint32_t words[32];
  narrow_halves(results, words);
  merge_registers<1>(out, words, context.active);
}
#endif

template <Limit kLimit, std::size_t kSources, class Computation>
Handler f16_handler(const Instruction& instruction, Computation compute) {
#if defined(__F16C__)
  if (is_packed(instruction.type) && !instruction.flush_subnormals) {
    return [](WarpContext& context, const Decoded& decoded) {
      compute_halves<kLimit, Computation>(context, decoded, std::make_index_sequence<kSources>{});
    };
  }
#endif
  return instruction.flush_subnormals
             ? scalar_or_packed<Scalar<F16, float, true, kLimit>, kSources>(instruction, compute)
             : scalar_or_packed<Scalar<F16, float, false, kLimit>, kSources>(instruction, compute);
}

bool is_f16(const Instruction& instruction) {
  return instruction.type == ValueType::f16 || instruction.type == ValueType::f16x2;
}

/// The handler of a computation whose result is rounded. Null for .ftz or .sat with bf16, which PTX
/// does not have.
template <std::size_t kSources, class Computation>
Handler arithmetic(const Instruction& instruction, Computation compute) {
  if (instruction.rounding != Rounding::nearest || instruction.relu) return nullptr;
  if (is_f16(instruction)) {
    return instruction.saturate ? f16_handler<Limit::saturate, kSources>(instruction, compute)
                                : f16_handler<Limit::none, kSources>(instruction, compute);
  }
  if (instruction.flush_subnormals || instruction.saturate) return nullptr;
  return scalar_or_packed<Scalar<Bf16, double, false, Limit::none>, kSources>(instruction, compute);
}

Handler fma_handler(const Instruction& instruction) {
  if (instruction.out_of_bounds_zero) return nullptr;
  const auto compute = [](auto a, auto b, auto c) { return sum_to_odd(a * b, c); };
  if (!instruction.relu) return arithmetic<3>(instruction, compute);
  if (instruction.rounding != Rounding::nearest || instruction.saturate) return nullptr;
  if (is_f16(instruction)) return f16_handler<Limit::relu, 3>(instruction, compute);
  if (instruction.flush_subnormals) return nullptr;
  return scalar_or_packed<Scalar<Bf16, double, false, Limit::relu>, 3>(instruction, compute);
}

/// The handler of a computation whose result is one of its operands, perhaps with another sign.
template <std::size_t kSources, class Computation>
Handler choice(const Instruction& instruction, Computation compute) {
  if (instruction.saturate || instruction.relu) return nullptr;
  if (is_f16(instruction)) return f16_handler<Limit::none, kSources>(instruction, compute);
  if (instruction.flush_subnormals) return nullptr;
  return scalar_or_packed<Scalar<Bf16, float, false, Limit::none>, kSources>(instruction, compute);
}

/// The handler of an approximate function. kFlushBf16: whether the bf16 form flushes subnormals;
/// PTX has this form only with .ftz. The f16 form never has .ftz.
template <bool kFlushBf16, class Computation>
Handler approximation(const Instruction& instruction, Computation compute) {
  if (instruction.saturate || instruction.relu) return nullptr;
  if (is_f16(instruction)) {
    return scalar_or_packed<Scalar<F16, double, false, Limit::none>, 1>(instruction, compute);
  }
  return scalar_or_packed<Scalar<Bf16, double, kFlushBf16, Limit::none>, 1>(instruction, compute);
}

template <bool kMaximum, bool kNan, bool kXorSign>
Handler extreme_handler(const Instruction& instruction) {
  return choice<2>(instruction,
                   [](float a, float b) { return extreme_of<kMaximum, kNan, kXorSign>(a, b); });
}

template <bool kMaximum>
Handler extreme_handler(const Instruction& instruction) {
  if (instruction.sources.size() != 2) return nullptr;
  if (instruction.propagate_nan) {
    return instruction.xorsign_abs ? extreme_handler<kMaximum, true, true>(instruction)
                                   : extreme_handler<kMaximum, true, false>(instruction);
  }
  return instruction.xorsign_abs ? extreme_handler<kMaximum, false, true>(instruction)
                                 : extreme_handler<kMaximum, false, false>(instruction);
}

}  // namespace

Handler select_half(const Instruction& instruction) {
  switch (instruction.type) {
    case ValueType::f16:
    case ValueType::f16x2:
    case ValueType::bf16:
    case ValueType::bf16x2:
      break;
    default:
      return nullptr;
  }
  switch (instruction.operation) {
    case Operation::add:
      return arithmetic<2>(instruction, [](auto a, auto b) { return a + b; });
    case Operation::sub:
      return arithmetic<2>(instruction, [](auto a, auto b) { return a - b; });
    case Operation::mul_lo:
      return arithmetic<2>(instruction, [](auto a, auto b) { return a * b; });
    case Operation::fma:
      return fma_handler(instruction);
    case Operation::abs:
      return choice<1>(instruction, [](float a) { return absolute(a); });
    case Operation::neg:
      return choice<1>(instruction, [](float a) { return negate(a); });
    case Operation::min:
      return extreme_handler<false>(instruction);
    case Operation::max:
      return extreme_handler<true>(instruction);
    case Operation::ex2:
      return approximation<true>(instruction, [](double a) { return exp2_of(a); });
    case Operation::tanh:
      return approximation<false>(instruction, [](double a) { return tanh_of(a); });
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
