// The instructions that compare or test values: setp, set, testp.

#include "base/value_type.h"
#include "exec/lanes/comparisons.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/predicates.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Comparison;
using code::FloatTest;
using code::Instruction;
using code::Operation;
using std::int32_t;
using std::uint32_t;
using std::uint64_t;

/// A function that returns the mask of the active lanes for which a comparison holds.
using Test = uint32_t (*)(WarpContext&, const Decoded&);

template <class OperandFormat, Comparison kComparison>
uint32_t test(WarpContext& context, const Decoded& decoded) {
  using Value = typename OperandFormat::Value;
  constexpr unsigned kAccept = OperandFormat::kInteger ? accepted_integer_relations(kComparison)
                                                       : accepted_relations(kComparison);
  return test_lanes<Value, Value>(context, decoded, [](Value a, Value b) {
    return holds(kAccept, OperandFormat::relate(a, b));
  });
}

/// As test(), for the comparison that the instruction specifies. It is slower: it tests all three
/// relations. Comparisons of 16-bit floats are too rare to have a handler each.
template <class OperandFormat>
uint32_t test_any(WarpContext& context, const Decoded& decoded) {
  const Relation<uint32_t> masks{test<OperandFormat, Comparison::less>(context, decoded),
                                 test<OperandFormat, Comparison::equal>(context, decoded),
                                 test<OperandFormat, Comparison::greater>(context, decoded)};
  return holds(accepted_relations(context.code[decoded.index].comparison), masks) & context.active;
}

/// The handler of the common form of setp. It has one comparison, and writes the result and
/// optionally the complement.
template <Test kTest>
void set_predicates(WarpContext& context, const Decoded& decoded) {
  const uint32_t hits = kTest(context, decoded);
  context.set_predicate(decoded.predicate_destination[0], hits);
  context.set_predicate(decoded.predicate_destination[1], ~hits);
}

/// The functions that implement one comparison; null if the comparison does not exist.
struct ComparisonHandlers {
  Test test = nullptr;
  Handler setp = nullptr;
};

template <class OperandFormat>
ComparisonHandlers handlers_for(Comparison comparison) {
  // code::Comparison has 14 members. The first six are the comparisons of integers.
  constexpr int kCount = OperandFormat::kInteger ? 6 : 14;
  return [=]<int... kIndex>(std::integer_sequence<int, kIndex...>)->ComparisonHandlers {
    static constexpr ComparisonHandlers kHandlers[] = {
        {test<OperandFormat, static_cast<Comparison>(kIndex)>,
         set_predicates<test<OperandFormat, static_cast<Comparison>(kIndex)>>}...};
    const auto index = static_cast<std::size_t>(comparison);
    return index < std::size(kHandlers) ? kHandlers[index] : ComparisonHandlers{};
  }
  (std::make_integer_sequence<int, kCount>());
}
template <class OperandFormat>
ComparisonHandlers handlers_for_halves() {
  return {test_any<OperandFormat>, set_predicates<test_any<OperandFormat>>};
}

/// The functions for a comparison of values of a type; for a packed type, of their low halves.
ComparisonHandlers select_handlers(ValueType type, Comparison comparison, bool flush) {
  switch (type) {
    case ValueType::b16:
    case ValueType::u16:
      return handlers_for<Integer<std::uint16_t>>(comparison);
    case ValueType::s16:
      return handlers_for<Integer<std::int16_t>>(comparison);
    case ValueType::b32:
    case ValueType::u32:
      return handlers_for<Integer<uint32_t>>(comparison);
    case ValueType::s32:
      return handlers_for<Integer<int32_t>>(comparison);
    case ValueType::b64:
    case ValueType::u64:
      return handlers_for<Long<uint32_t>>(comparison);
    case ValueType::s64:
      return handlers_for<Long<int32_t>>(comparison);
    case ValueType::f32:
      return flush ? handlers_for<Single<true>>(comparison)
                   : handlers_for<Single<false>>(comparison);
    case ValueType::f64:
      return handlers_for<Double>(comparison);
    case ValueType::f16:
    case ValueType::f16x2:
      return flush ? handlers_for_halves<F16<true, 0>>() : handlers_for_halves<F16<false, 0>>();
    case ValueType::bf16:
    case ValueType::bf16x2:
      return handlers_for_halves<Bf16<0>>();
    default:
      return {};
  }
}

/// The functions for comparisons of the high halves of values of a packed type.
ComparisonHandlers select_high_handlers(ValueType type, bool flush) {
  if (type == ValueType::bf16x2) return handlers_for_halves<Bf16<16>>();
  return flush ? handlers_for_halves<F16<true, 16>>() : handlers_for_halves<F16<false, 16>>();
}

bool is_packed_half(ValueType type) {
  return type == ValueType::f16x2 || type == ValueType::bf16x2;
}

/// The two results of a comparison, as lane masks. For packed values, these are the results for the
/// low and for the high halves; for other values, the result and its complement. Each is combined
/// with the source predicate.
struct Results {
  uint32_t first, second;
};
Results results_of(WarpContext& context, const Decoded& decoded, const Instruction& i,
                   ValueType type) {
  const uint32_t first =
      select_handlers(type, i.comparison, i.flush_subnormals).test(context, decoded);
  const uint32_t second =
      is_packed_half(type) ? select_high_handlers(type, i.flush_subnormals).test(context, decoded)
                           : ~first;
  const uint32_t other = context.predicate(decoded.predicate_source[0]);
  return {combined(i.boolean, first, other), combined(i.boolean, second, other)};
}

/// The handler of any form of setp.
void set_predicates_in_full(WarpContext& context, const Decoded& decoded) {
  const Instruction& i = context.code[decoded.index];
  const Results results = results_of(context, decoded, i, i.type);
  // The decoder leaves out a missing first destination. The second destination then comes first.
  const bool has_first = i.destinations[0].present();
  if (has_first) context.set_predicate(decoded.predicate_destination[0], results.first);
  context.set_predicate(decoded.predicate_destination[has_first ? 1 : 0], results.second);
}

/// The value that `set` writes for true: 1.0 for a floating-point type, all ones for an integer.
uint32_t true_value(ValueType type) {
  switch (type) {
    case ValueType::b32:
    case ValueType::u32:
    case ValueType::s32:
      return 0xffff'ffff;
    case ValueType::u16:
    case ValueType::s16:
      return 0xffff;
    case ValueType::f32:
      return 0x3f80'0000;
    case ValueType::f16:
      return 0x3c00;
    case ValueType::bf16:
      return 0x3f80;
    case ValueType::f16x2:
      return 0x3c00'3c00;
    case ValueType::bf16x2:
      return 0x3f80'3f80;
    default:
      return 0;
  }
}

void set_register(WarpContext& context, const Decoded& decoded) {
  const Instruction& i = context.code[decoded.index];
  const Results results = results_of(context, decoded, i, i.source_type);
  const bool packed = is_packed_half(i.source_type);
  const uint32_t value = true_value(i.type);
  const uint32_t low = packed ? value & 0xffff : value;
  const uint32_t high = packed ? value & 0xffff'0000 : 0;
  write_lanes<uint32_t>(context, decoded.destination[0], [&](int lane) {
    return (has_lane(results.first, lane) ? low : 0) | (has_lane(results.second, lane) ? high : 0);
  });
}

/// Whether the instruction has all the operands, and a comparison, that results_of() needs.
bool can_compare(const Instruction& i, ValueType type) {
  if (i.sources.size() < 2 || i.destinations.empty()) return false;
  if (i.boolean != code::Boolean::none && (i.sources.size() < 3 || !i.sources[2].is_predicate())) {
    return false;
  }
  return select_handlers(type, i.comparison, i.flush_subnormals).test != nullptr;
}

Handler select_setp(const Instruction& i) {
  if (!can_compare(i, i.type)) return nullptr;
  const bool plain =
      i.boolean == code::Boolean::none && !is_packed_half(i.type) && i.destinations[0].present();
  return plain ? select_handlers(i.type, i.comparison, i.flush_subnormals).setp
               : set_predicates_in_full;
}

Handler select_set(const Instruction& i) {
  if (!can_compare(i, i.source_type) || true_value(i.type) == 0) return nullptr;
  // Packed sources need a packed result, or a 32-bit result: one half for each half of the sources.
  const bool wide = size_of(i.type) == 4 && i.type != ValueType::f32;
  if (is_packed_half(i.source_type) ? !wide : is_packed_half(i.type)) return nullptr;
  return set_register;
}

/// The handler of testp. The result depends only on the magnitude. Zero counts as normal.
template <class T, FloatTest kTest>
void test_float(WarpContext& context, const Decoded& decoded) {
  constexpr int kFraction = sizeof(T) == 8 ? 52 : 23;
  constexpr T kMagnitude = static_cast<T>(~T{0}) >> 1;
  constexpr T kInfinity = kMagnitude >> kFraction << kFraction;
  constexpr T kSmallestNormal = T{1} << kFraction;
  const uint32_t hits = test_lanes<T>(context, decoded, [](T bits) {
    const T a = bits & kMagnitude;
    switch (kTest) {
      case FloatTest::finite:
        return a < kInfinity;
      case FloatTest::infinite:
        return a == kInfinity;
      case FloatTest::number:
        return a <= kInfinity;
      case FloatTest::not_a_number:
        return a > kInfinity;
      case FloatTest::normal:
        return bool((a == 0) | ((a >= kSmallestNormal) & (a < kInfinity)));
      case FloatTest::subnormal:
        return bool((a != 0) & (a < kSmallestNormal));
    }
    return false;
  });
  context.set_predicate(decoded.predicate_destination[0], hits);
}

template <class T>
Handler select_testp(FloatTest test) {
  switch (test) {
    case FloatTest::finite:
      return test_float<T, FloatTest::finite>;
    case FloatTest::infinite:
      return test_float<T, FloatTest::infinite>;
    case FloatTest::number:
      return test_float<T, FloatTest::number>;
    case FloatTest::not_a_number:
      return test_float<T, FloatTest::not_a_number>;
    case FloatTest::normal:
      return test_float<T, FloatTest::normal>;
    case FloatTest::subnormal:
      return test_float<T, FloatTest::subnormal>;
  }
  return nullptr;
}

}  // namespace

Handler select_compare(const Instruction& i) {
  switch (i.operation) {
    case Operation::setp:
      return select_setp(i);
    case Operation::set:
      return select_set(i);
    case Operation::testp:
      if (i.type == ValueType::f32) return select_testp<uint32_t>(i.test);
      return i.type == ValueType::f64 ? select_testp<uint64_t>(i.test) : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
