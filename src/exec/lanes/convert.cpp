// The handlers of the frequent forms of cvt, each with a single loop over the lanes. For all other
// forms, convert_general.cpp has slower handlers.

#include "exec/lanes/conversion.h"
#include "exec/lanes/families.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::IntegralRounding;
using code::Operation;
using code::Rounding;
using VT = ValueType;

/// The unsigned type of the registers that a T takes.
template <class T>
using RegisterOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// Conversions between integers without saturation: truncation or extension.
Handler select_integer_to_integer(const Instruction& instruction) {
  Handler handler = nullptr;
  with_integer(instruction.type, [&]<class To>() {
    const auto extend = []<class From>() {
      return lanes_handler<RegisterOf<To>, From>(
          [](From a) { return static_cast<RegisterOf<To>>(extended(static_cast<To>(a))); });
    };
    if (size_of(instruction.source_type) >= static_cast<int>(sizeof(To))) {
      handler = extend.template operator()<To>();
    } else {
      with_integer(instruction.source_type, [&]<class From>() {
        if constexpr (sizeof(From) < sizeof(To)) handler = extend.template operator()<From>();
      });
    }
  });
  return handler;
}

template <class Float>
Handler integer_to_float(VT source) {
  Handler handler = nullptr;
  with_integer(source, [&]<class T>() {
    handler = lanes_handler<Float, T>([](T value) { return static_cast<Float>(value); });
  });
  return handler;
}

/// The handler that rounds a Float to an integral value, and converts it to an Integer.
template <IntegralRounding kRounding, class Integer, class Float>
Handler float_to_integer_handler() {
  return lanes_handler<Integer, Float>([](Float value) {
    constexpr Integer kNanResult = nan_to_integer<Integer>(sizeof(Float) == 8);
    if constexpr (kRounding == IntegralRounding::zero)
      return to_integer<Integer>(value, kNanResult);
    return to_integer<Integer>(to_integral<kRounding>(value), kNanResult);
  });
}

Handler select_float_to_integer(const Instruction& instruction) {
  using enum IntegralRounding;
  const bool single = instruction.source_type == VT::f32;
  if (!single && instruction.source_type != VT::f64) return nullptr;
  if (single && instruction.type == VT::s32) {
    switch (instruction.integral_rounding) {
      case nearest:
        return float_to_integer_handler<nearest, std::int32_t, float>();
      case zero:
        return float_to_integer_handler<zero, std::int32_t, float>();
      case down:
        return float_to_integer_handler<down, std::int32_t, float>();
      case up:
        return float_to_integer_handler<up, std::int32_t, float>();
      case none:
        return nullptr;
    }
  }
  if (instruction.integral_rounding != zero) return nullptr;
  switch (instruction.type) {
    case VT::s32:
      return float_to_integer_handler<zero, std::int32_t, double>();
    case VT::u32:
      return single ? float_to_integer_handler<zero, std::uint32_t, float>()
                    : float_to_integer_handler<zero, std::uint32_t, double>();
    case VT::s64:
      return single ? float_to_integer_handler<zero, std::int64_t, float>()
                    : float_to_integer_handler<zero, std::int64_t, double>();
    case VT::u64:
      return single ? float_to_integer_handler<zero, std::uint64_t, float>()
                    : float_to_integer_handler<zero, std::uint64_t, double>();
    default:
      return nullptr;
  }
}

/// The handler that rounds an f32 or f64 to an integral value of the same type.
template <IntegralRounding kRounding>
Handler integral_handler(VT type) {
  if (type == VT::f32) {
    return lanes_handler<float, float>(
        [](float a) { return canonical(to_integral<kRounding>(a)); });
  }
  return lanes_handler<double, double>([](double a) {
    const double result = to_integral<kRounding>(a);
    return __builtin_bit_cast(double, is_nan(a) ? nan_of(a) : bits_of(result));
  });
}

Handler select_to_integral(const Instruction& instruction) {
  if (instruction.type != instruction.source_type) return nullptr;
  if (instruction.type != VT::f32 && instruction.type != VT::f64) return nullptr;
  switch (instruction.integral_rounding) {
    case IntegralRounding::none:
      return nullptr;
    case IntegralRounding::nearest:
      return integral_handler<IntegralRounding::nearest>(instruction.type);
    case IntegralRounding::zero:
      return integral_handler<IntegralRounding::zero>(instruction.type);
    case IntegralRounding::down:
      return integral_handler<IntegralRounding::down>(instruction.type);
    case IntegralRounding::up:
      return integral_handler<IntegralRounding::up>(instruction.type);
  }
  return nullptr;
}

/// The handler that converts an f32 to the 16-bit format F or, if `packed`, two f32 to a packed F.
template <class F>
Handler from_single(bool packed) {
  if (packed) {
    return lanes_handler<std::uint32_t, float, float>(
        [](float high, float low) { return narrow<F>(low) | narrow<F>(high) << 16; });
  }
  return lanes_handler<std::uint32_t, float>([](float value) { return narrow<F>(value); });
}

Handler select_float_to_float(const Instruction& instruction) {
  if (instruction.integral_rounding != IntegralRounding::none) return nullptr;
  if (instruction.source_type == VT::f32) {
    switch (instruction.type) {
      case VT::f64:
        return lanes_handler<double, float>([](float a) {
          const auto value = static_cast<double>(a);
          return __builtin_bit_cast(double, is_nan(a) ? nan_of(value) : bits_of(value));
        });
      case VT::f16:
        return from_single<F16>(false);
      case VT::bf16:
        return from_single<Bf16>(false);
      case VT::f16x2:
        return from_single<F16>(true);
      case VT::bf16x2:
        return from_single<Bf16>(true);
      default:
        return nullptr;
    }
  }
  if (instruction.type != VT::f32) return nullptr;
  switch (instruction.source_type) {
    case VT::f64:
      return lanes_handler<float, double>([](double a) {
        const auto nearest = static_cast<float>(a);
        return __builtin_bit_cast(float, is_nan(a) ? narrow_nan<F32>(a) : bits_of(nearest));
      });
    case VT::f16:
      return lanes_handler<float, std::uint32_t>(
          [](std::uint32_t a) { return canonical(widen<F16>(a)); });
    case VT::bf16:
      return lanes_handler<float, std::uint32_t>([](std::uint32_t a) {
        return __builtin_bit_cast(float, a << 16);  // This keeps the bits of a NaN.
      });
    default:
      return nullptr;
  }
}

/// Whether .ftz is absent or has no effect.
bool flush_has_no_effect(const Instruction& instruction) {
  if (!instruction.flush_subnormals) return true;
  if (is_integer(instruction.source_type)) return true;
  if (instruction.type == VT::f16 || instruction.type == VT::f16x2) return true;
  return instruction.source_type == VT::f32 &&
         (instruction.integral_rounding == IntegralRounding::zero ||
          instruction.integral_rounding == IntegralRounding::nearest);
}

/// The handler of a frequent form; null for other forms.
Handler select_frequent(const Instruction& instruction) {
  const bool to_integer_type = is_integer(instruction.type);
  if (instruction.destinations[0].width != registers_of(instruction.type)) return nullptr;
  if (instruction.saturate_finite || instruction.relu || !flush_has_no_effect(instruction)) {
    return nullptr;
  }
  if (is_integer(instruction.source_type)) {
    if (instruction.saturate) return nullptr;
    if (to_integer_type) return select_integer_to_integer(instruction);
    if (instruction.rounding != Rounding::nearest) return nullptr;
    if (instruction.type == VT::f32) return integer_to_float<float>(instruction.source_type);
    if (instruction.type == VT::f64) return integer_to_float<double>(instruction.source_type);
    return nullptr;
  }
  if (to_integer_type) return select_float_to_integer(instruction);
  if (instruction.saturate) return nullptr;
  if (instruction.type == VT::tf32 && instruction.rounding == Rounding::nearest_away) {
    return lanes_handler<std::uint32_t, float>(
        [](float value) { return to_tf32<Rounding::nearest_away>(value); });
  }
  if (instruction.rounding != Rounding::nearest) return nullptr;
  if (const Handler handler = select_to_integral(instruction)) return handler;
  return select_float_to_float(instruction);
}

}  // namespace

Handler select_convert(const Instruction& instruction) {
  if (instruction.operation != Operation::convert || instruction.destinations.size() != 1) {
    return nullptr;
  }
  const Handler handler = select_general_conversion(instruction);
  if (handler == nullptr) return nullptr;
  const Handler frequent_handler = select_frequent(instruction);
  return frequent_handler != nullptr ? frequent_handler : handler;
}

}  // namespace heddle::exec::HEDDLE_LANES
