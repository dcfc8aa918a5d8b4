// The general handlers of cvt. They convert the sources of all lanes to doubles or, for conversions
// between integers, to 64-bit integers, apply the modifiers of the instruction, and convert the
// results to the destination type. Each of these steps is a loop over the lanes.
//
// An integer result is extended to the full width of the destination, according to the sign of its
// type. .ftz applies to f32 sources and f32 results. If there are two sources (f16x2 from f32), the
// first becomes the upper half.

#include "exec/lanes/conversion.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::IntegralRounding;
using code::Rounding;
using VT = ValueType;

/// A value for each of the 32 lanes.
template <class T>
struct Lanes {
  alignas(64) T by_lane[32];
};
using Values = Lanes<double>;
/// Results in 64 bits: sign- or zero-extended integers, or the bits of a floating-point type.
using Words = Lanes<std::uint64_t>;

template <class T, class Computation>
[[gnu::always_inline]] inline void change_lanes(Lanes<T>& lanes, Computation compute) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) lanes.by_lane[lane] = compute(lanes.by_lane[lane]);
}

// -- reading -------------------------------------------------------------------------------------

template <class In, class Out, class Computation>
[[gnu::noinline]] void read_lanes(const std::uint32_t* source, Lanes<Out>& out,
                                  Computation compute) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) out.by_lane[lane] = compute(get<In>(source, lane));
}

/// Reads values of the narrow format F, which begin at bit `shift` of the register.
template <class F>
[[gnu::noinline]] void read_small(const std::uint32_t* source, int shift, Values& out) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const float value = widen<F>(source[lane] >> shift);
    const std::uint64_t bits =
        is_nan(value) ? widen_nan<F>(source[lane] >> shift) : bits_of(static_cast<double>(value));
    out.by_lane[lane] = __builtin_bit_cast(double, bits);
  }
}

/// Reads the values of a source; if `upper` is set, those in its upper half. Integers are rounded
/// to odd. Returns false if there is no such source type.
bool read_values(VT type, const std::uint32_t* source, bool upper, bool flushing, Values& out) {
  switch (type) {
    case VT::f64:
      read_lanes<double>(source, out, [](double value) { return value; });
      return true;
    case VT::f32:
      if (flushing) {
        read_lanes<float>(source, out,
                          [](float a) { return static_cast<double>(canonical(flush(a))); });
      } else {
        read_lanes<float>(source, out, [](float a) { return static_cast<double>(a); });
      }
      return true;
    case VT::f16:
    case VT::f16x2:
      read_small<F16>(source, upper ? 16 : 0, out);
      return true;
    case VT::bf16:
    case VT::bf16x2:
      read_small<Bf16>(source, upper ? 16 : 0, out);
      return true;
    case VT::e4m3x2:
      read_small<E4m3>(source, upper ? 8 : 0, out);
      return true;
    case VT::e5m2x2:
      read_small<E5m2>(source, upper ? 8 : 0, out);
      return true;
    default:
      return with_integer(type, [&]<class T>() {
        read_lanes<T>(source, out, [](T value) { return to_odd_double(value); });
      });
  }
}

// -- writing -------------------------------------------------------------------------------------

template <class In, class Computation>
[[gnu::noinline]] void to_words(const Lanes<In>& in, Words& out, Computation compute) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) out.by_lane[lane] = compute(in.by_lane[lane]);
}

/// Calls function.operator()<kRounding>() with the rounding as a constant, and returns true.
/// Returns false for nearest_away.
template <class Function>
bool with_rounding(Rounding rounding, Function function) {
  switch (rounding) {
    case Rounding::nearest:
      function.template operator()<Rounding::nearest>();
      return true;
    case Rounding::zero:
      function.template operator()<Rounding::zero>();
      return true;
    case Rounding::down:
      function.template operator()<Rounding::down>();
      return true;
    case Rounding::up:
      function.template operator()<Rounding::up>();
      return true;
    case Rounding::nearest_away:
      break;
  }
  return false;
}

template <class F>
void round_to_small(Rounding rounding, const Values& in, Words& out) {
  with_rounding(rounding, [&]<Rounding kRounding>() {
    to_words(in, out, [](double value) { return std::uint64_t{narrow<F, kRounding>(value)}; });
  });
}

template <Rounding kRounding>
[[gnu::always_inline]] inline std::uint64_t to_single(double value) {
  const auto nearest = static_cast<float>(value);
  const std::uint32_t bits =
      redirect<kRounding>(bits_of(nearest), static_cast<double>(nearest), value);
  return is_nan(value) ? kCanonicalNan : bits;
}

void round_to_tf32(Rounding rounding, const Values& in, Words& out) {
  constexpr auto kTf32 = []<Rounding kRounding>(double value) {
    return std::uint64_t{to_tf32<kRounding>(static_cast<float>(value))};
  };
  switch (rounding) {
    case Rounding::nearest_away:
      to_words(in, out, [=](double a) { return kTf32.operator()<Rounding::nearest_away>(a); });
      break;
    case Rounding::zero:
      to_words(in, out, [=](double a) { return kTf32.operator()<Rounding::zero>(a); });
      break;
    default:
      to_words(in, out, [=](double a) { return kTf32.operator()<Rounding::nearest>(a); });
  }
}

/// Flushes the subnormal f32 among the words.
void flush_words(Words& words) {
  change_lanes(words, [](std::uint64_t bits) {
    return (bits & 0x7f80'0000) == 0 ? bits & 0x8000'0000 : bits;
  });
}

/// Applies .satfinite: an infinity becomes the largest finite number.
void saturate_finite(VT type, Words& words) {
  const std::uint64_t magnitude = type == VT::tf32 ? 0x7fff'ffff : 0x7fff;
  const bool wide_exponent = type == VT::bf16 || type == VT::bf16x2;
  const std::uint64_t infinity = type == VT::tf32 ? 0x7f80'0000 : wide_exponent ? 0x7f80 : 0x7c00;
  const std::uint64_t largest = type == VT::tf32 ? 0x7f7f'e000 : wide_exponent ? 0x7f7f : 0x7bff;
  change_lanes(words, [=](std::uint64_t bits) {
    return (bits & magnitude) == infinity ? (bits & ~magnitude) | largest : bits;
  });
}

template <class F>
void keep_nans(const Values& in, Words& out) {
  for (int lane = 0; lane < 32; ++lane) {
    if (is_nan(in.by_lane[lane])) out.by_lane[lane] = narrow_nan<F>(in.by_lane[lane]);
  }
}
/// Replaces the results of f64 NaNs in a narrower type: these NaNs keep their highest bits
/// (narrow_nan()).
void keep_nans(VT type, const Values& in, Words& out) {
  if (type == VT::f32) keep_nans<F32>(in, out);
  if (type == VT::f16) keep_nans<F16>(in, out);
  if (type == VT::bf16) keep_nans<Bf16>(in, out);
}

/// Rounds values to the floating-point type of the destination. For a packed type, the results are
/// the bits of one element.
void round_values(const Instruction& instruction, const Values& in, Words& out) {
  switch (instruction.type) {
    case VT::f64:
      to_words(in, out, [](double a) { return is_nan(a) ? nan_of(a) : bits_of(a); });
      break;
    case VT::f32:
      with_rounding(instruction.rounding, [&]<Rounding kRounding>() {
        to_words(in, out, [](double value) { return to_single<kRounding>(value); });
      });
      if (instruction.flush_subnormals) flush_words(out);
      break;
    case VT::tf32:
      round_to_tf32(instruction.rounding, in, out);
      break;
    case VT::f16:
    case VT::f16x2:
      round_to_small<F16>(instruction.rounding, in, out);
      break;
    case VT::bf16:
    case VT::bf16x2:
      round_to_small<Bf16>(instruction.rounding, in, out);
      break;
    case VT::e4m3x2:
      to_words(in, out, [](double a) { return std::uint64_t{narrow<E4m3>(a)}; });
      break;
    case VT::e5m2x2:
      to_words(in, out, [](double a) { return std::uint64_t{narrow<E5m2>(a)}; });
      break;
    default:
      break;
  }
  if (instruction.source_type == VT::f64) keep_nans(instruction.type, in, out);
  const bool eight_bits = instruction.type == VT::e4m3x2 || instruction.type == VT::e5m2x2;
  if (instruction.saturate_finite && !eight_bits) saturate_finite(instruction.type, out);
}

void write_words(const WarpContext& context, const Decoded& decoded, int registers,
                 const Words& words) {
  if (registers == 2) {
    write_lanes<std::uint64_t>(context, decoded.destination[0],
                               [&](int lane) { return words.by_lane[lane]; });
  } else {
    write_lanes<std::uint32_t>(context, decoded.destination[0], [&](int lane) {
      return static_cast<std::uint32_t>(words.by_lane[lane]);
    });
  }
}

// -- the general handlers ------------------------------------------------------------------------

const Instruction& instruction_of(const WarpContext& context, const Decoded& decoded) {
  return context.code[decoded.index];
}
int destination_registers(const Instruction& instruction) {
  return instruction.destinations[0].width;
}

void round_to_integral(IntegralRounding rounding, Values& values) {
  switch (rounding) {
    case IntegralRounding::none:
      break;
    case IntegralRounding::nearest:
      change_lanes(values, [](double a) { return to_integral<IntegralRounding::nearest>(a); });
      break;
    case IntegralRounding::zero:
      change_lanes(values, [](double a) { return to_integral<IntegralRounding::zero>(a); });
      break;
    case IntegralRounding::down:
      change_lanes(values, [](double a) { return to_integral<IntegralRounding::down>(a); });
      break;
    case IntegralRounding::up:
      change_lanes(values, [](double a) { return to_integral<IntegralRounding::up>(a); });
      break;
  }
}

/// Reads the values of a source, and applies all steps that precede the final rounding.
void prepare(const Instruction& instruction, const std::uint32_t* source, bool upper, Values& out) {
  read_values(instruction.source_type, source, upper, instruction.flush_subnormals, out);
  round_to_integral(instruction.integral_rounding, out);
  if (instruction.saturate && is_floating(instruction.type)) {
    change_lanes(out, [](double a) { return saturate(a); });
  }
  if (instruction.relu) change_lanes(out, [](double a) { return relu(a); });
}

void to_float_type(WarpContext& context, const Decoded& decoded) {
  const Instruction& instruction = instruction_of(context, decoded);
  Values values;
  Words words;
  prepare(instruction, context.lanes(decoded.source[0]), false, values);
  round_values(instruction, values, words);
  write_words(context, decoded, destination_registers(instruction), words);
}

void to_packed_type(WarpContext& context, const Decoded& decoded) {
  const Instruction& instruction = instruction_of(context, decoded);
  const bool two_sources = decoded.source_count == 2;
  const int bits = size_of(instruction.type) * 4;
  Values values;
  Words low;
  Words high;
  prepare(instruction, context.lanes(decoded.source[two_sources ? 1 : 0]), false, values);
  round_values(instruction, values, low);
  prepare(instruction, context.lanes(decoded.source[0]), !two_sources, values);
  round_values(instruction, values, high);
  for (int lane = 0; lane < 32; ++lane) low.by_lane[lane] |= high.by_lane[lane] << bits;
  write_words(context, decoded, destination_registers(instruction), low);
}

void float_to_integer(WarpContext& context, const Decoded& decoded) {
  const Instruction& instruction = instruction_of(context, decoded);
  Values values;
  Words words;
  prepare(instruction, context.lanes(decoded.source[0]), false, values);
  const bool from_double = instruction.source_type == VT::f64;
  with_integer(instruction.type, [&]<class T>() {
    const T nan_result = nan_to_integer<T>(from_double);
    to_words(values, words, [=](double a) { return extended(to_integer<T>(a, nan_result)); });
  });
  write_words(context, decoded, destination_registers(instruction), words);
}

/// Converts 64-bit integers to f64. With to_float_type(), they would be rounded twice.
void wide_integer_to_double(WarpContext& context, const Decoded& decoded) {
  const Instruction& instruction = instruction_of(context, decoded);
  const std::uint32_t* const source = context.lanes(decoded.source[0]);
  const bool is_signed = instruction.source_type == VT::s64;
  Words words;
  with_rounding(instruction.rounding, [&]<Rounding kRounding>() {
    if (is_signed) {
      read_lanes<std::int64_t>(source, words, [](auto a) { return to_double_bits<kRounding>(a); });
    } else {
      read_lanes<std::uint64_t>(source, words, [](auto a) { return to_double_bits<kRounding>(a); });
    }
  });
  write_words(context, decoded, 2, words);
}

/// Saturates a 64-bit integer, signed if kSigned, to the range of Integer.
template <class Integer, bool kSigned>
[[gnu::always_inline]] inline Integer limited(std::uint64_t word) {
  using Limits = std::numeric_limits<Integer>;
  constexpr auto kMax = static_cast<std::uint64_t>(Limits::max());
  if constexpr (kSigned) {
    const auto value = static_cast<std::int64_t>(word);
    constexpr auto kMin = static_cast<std::int64_t>(Limits::min());
    constexpr bool kFitsSigned = sizeof(Integer) < 8 || Limits::is_signed;
    constexpr auto kSignedMax =
        kFitsSigned ? static_cast<std::int64_t>(kMax) : std::numeric_limits<std::int64_t>::max();
    const std::int64_t above = value < kMin ? kMin : value;
    return static_cast<Integer>(above > kSignedMax ? kSignedMax : above);
  } else {
    return static_cast<Integer>(word > kMax ? kMax : word);
  }
}

void integer_to_integer(WarpContext& context, const Decoded& decoded) {
  const Instruction& instruction = instruction_of(context, decoded);
  Words words;
  with_integer(instruction.source_type, [&]<class T>() {
    read_lanes<T>(context.lanes(decoded.source[0]), words, [](T value) { return extended(value); });
  });
  const bool is_signed = is_signed_integer(instruction.source_type);
  const bool saturating = instruction.saturate;
  with_integer(instruction.type, [&]<class T>() {
    if (saturating && is_signed) {
      to_words(words, words, [](std::uint64_t a) { return extended(limited<T, true>(a)); });
    } else if (saturating) {
      to_words(words, words, [](std::uint64_t a) { return extended(limited<T, false>(a)); });
    } else {
      to_words(words, words, [](std::uint64_t a) { return extended(static_cast<T>(a)); });
    }
  });
  write_words(context, decoded, destination_registers(instruction), words);
}

// -- selection -----------------------------------------------------------------------------------

bool is_scalar_float(VT type) {
  return type == VT::f16 || type == VT::bf16 || type == VT::f32 || type == VT::f64;
}

/// Whether PTX has the conversion to a packed type that the instruction specifies.
bool can_pack(const Instruction& instruction) {
  const VT source = instruction.source_type;
  const std::size_t source_count = source == VT::f32 ? 2 : 1;
  if (instruction.sources.size() != source_count) return false;
  switch (instruction.type) {
    case VT::f16x2:
      return source == VT::f32 || source == VT::e4m3x2 || source == VT::e5m2x2;
    case VT::bf16x2:
      return source == VT::f32;
    case VT::e4m3x2:
    case VT::e5m2x2:
      return source == VT::f32 || source == VT::f16x2;
    default:
      return false;
  }
}

}  // namespace

Handler select_general_conversion(const Instruction& instruction) {
  const VT to = instruction.type;
  const VT from = instruction.source_type;
  if (is_packed(to)) {
    return can_pack(instruction) && instruction.rounding != Rounding::nearest_away ? to_packed_type
                                                                                   : nullptr;
  }
  if (instruction.sources.size() != 1) return nullptr;
  if (to == VT::tf32) {
    const bool is_up_or_down =
        instruction.rounding == Rounding::up || instruction.rounding == Rounding::down;
    return from == VT::f32 && !is_up_or_down ? to_float_type : nullptr;
  }
  if (instruction.rounding == Rounding::nearest_away) return nullptr;
  if (is_integer(from)) {
    if (is_integer(to)) return integer_to_integer;
    if (!is_scalar_float(to)) return nullptr;
    const bool wide = from == VT::u64 || from == VT::s64;
    return wide && to == VT::f64 && !instruction.saturate ? wide_integer_to_double : to_float_type;
  }
  if (!is_scalar_float(from)) return nullptr;
  if (is_integer(to)) {
    return instruction.integral_rounding != IntegralRounding::none ? float_to_integer : nullptr;
  }
  return is_scalar_float(to) ? to_float_type : nullptr;
}

}  // namespace heddle::exec::HEDDLE_LANES
