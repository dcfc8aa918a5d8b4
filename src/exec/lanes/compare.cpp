// Comparisons: setp, set, testp.

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

/// A function that returns the active lanes for which a comparison holds.
using Test = uint32_t (*)(WarpContext&, const Decoded&);

template <class Kind, Comparison kComparison>
uint32_t test(WarpContext& context, const Decoded& decoded) {
  using Value = typename Kind::Value;
  constexpr unsigned kAccept =
      Kind::kInteger ? accepted_of_integers(kComparison) : accepted(kComparison);
  return test_lanes<Value, Value>(
      context, decoded, [](Value a, Value b) { return holds(kAccept, Kind::relate(a, b)); });
}

/// Tests the instruction's comparison at run time: halves are too rare for a handler per
/// comparison.
template <class Kind>
uint32_t test_any(WarpContext& context, const Decoded& decoded) {
  const Relation<uint32_t> masks{test<Kind, Comparison::less>(context, decoded),
                                 test<Kind, Comparison::equal>(context, decoded),
                                 test<Kind, Comparison::greater>(context, decoded)};
  return holds(accepted(context.code[decoded.index].comparison), masks) & context.active;
}

/// The common form of setp: one comparison, its result and optionally the complement.
template <Test kTest>
void set_predicates(WarpContext& context, const Decoded& decoded) {
  const uint32_t hits = kTest(context, decoded);
  context.set_predicate(decoded.predicate_destination[0], hits);
  context.set_predicate(decoded.predicate_destination[1], ~hits);
}

struct Compare {
  Test test = nullptr;
  Handler setp = nullptr;
};

template <class Kind>
Compare of_kind(Comparison comparison) {
  // The first six comparisons are those of integers.
  constexpr int kCount = Kind::kInteger ? 6 : 14;
  return [=]<int... kIndex>(std::integer_sequence<int, kIndex...>)->Compare {
    static constexpr Compare kCompares[] = {
        {test<Kind, static_cast<Comparison>(kIndex)>,
         set_predicates<test<Kind, static_cast<Comparison>(kIndex)>>}...};
    const auto index = static_cast<std::size_t>(comparison);
    return index < std::size(kCompares) ? kCompares[index] : Compare{};
  }
  (std::make_integer_sequence<int, kCount>());
}
template <class Kind>
Compare of_halves() {
  return {test_any<Kind>, set_predicates<test_any<Kind>>};
}

/// The comparison of values of a type; for a packed type, of their low halves.
Compare compare(ValueType type, Comparison comparison, bool flush) {
  switch (type) {
    case ValueType::b16:
    case ValueType::u16:
      return of_kind<Integer<std::uint16_t>>(comparison);
    case ValueType::s16:
      return of_kind<Integer<std::int16_t>>(comparison);
    case ValueType::b32:
    case ValueType::u32:
      return of_kind<Integer<uint32_t>>(comparison);
    case ValueType::s32:
      return of_kind<Integer<int32_t>>(comparison);
    case ValueType::b64:
    case ValueType::u64:
      return of_kind<Long<uint32_t>>(comparison);
    case ValueType::s64:
      return of_kind<Long<int32_t>>(comparison);
    case ValueType::f32:
      return flush ? of_kind<Single<true>>(comparison) : of_kind<Single<false>>(comparison);
    case ValueType::f64:
      return of_kind<Double>(comparison);
    case ValueType::f16:
    case ValueType::f16x2:
      return flush ? of_halves<F16<true, 0>>() : of_halves<F16<false, 0>>();
    case ValueType::bf16:
    case ValueType::bf16x2:
      return of_halves<Bf16<0>>();
    default:
      return {};
  }
}

/// The comparison of the high halves of values of a packed type.
Compare compare_high(ValueType type, bool flush) {
  if (type == ValueType::bf16x2) return of_halves<Bf16<16>>();
  return flush ? of_halves<F16<true, 16>>() : of_halves<F16<false, 16>>();
}

bool is_packed_half(ValueType type) {
  return type == ValueType::f16x2 || type == ValueType::bf16x2;
}

/// Both results of a general comparison: the results for the low and high halves of packed values,
/// or the result and its complement. Each is combined with the source predicate.
struct Results {
  uint32_t first, second;
};
Results results_of(WarpContext& context, const Decoded& decoded, const Instruction& i,
                   ValueType type) {
  const uint32_t first = compare(type, i.comparison, i.flush_subnormals).test(context, decoded);
  const uint32_t second =
      is_packed_half(type) ? compare_high(type, i.flush_subnormals).test(context, decoded) : ~first;
  const uint32_t other = context.predicate(decoded.predicate_source[0]);
  return {combined(i.boolean, first, other), combined(i.boolean, second, other)};
}

void set_predicates_in_full(WarpContext& context, const Decoded& decoded) {
  const Instruction& i = context.code[decoded.index];
  const Results results = results_of(context, decoded, i, i.type);
  // Without a first destination, the second one takes the first slot among the predicates.
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

/// Whether the instruction has everything that results_of() needs.
bool can_compare(const Instruction& i, ValueType type) {
  if (i.sources.size() < 2 || i.destinations.empty()) return false;
  if (i.boolean != code::Boolean::none && (i.sources.size() < 3 || !i.sources[2].is_predicate())) {
    return false;
  }
  return compare(type, i.comparison, i.flush_subnormals).test != nullptr;
}

Handler select_setp(const Instruction& i) {
  if (!can_compare(i, i.type)) return nullptr;
  const bool plain =
      i.boolean == code::Boolean::none && !is_packed_half(i.type) && i.destinations[0].present();
  return plain ? compare(i.type, i.comparison, i.flush_subnormals).setp : set_predicates_in_full;
}

Handler select_set(const Instruction& i) {
  if (!can_compare(i, i.source_type) || true_value(i.type) == 0) return nullptr;
  // Packed sources give a packed result, or a 32-bit result with one half for each.
  const bool wide = size_of(i.type) == 4 && i.type != ValueType::f32;
  if (is_packed_half(i.source_type) ? !wide : is_packed_half(i.type)) return nullptr;
  return set_register;
}

/// testp, which depends only on the magnitude's bits. Zero counts as normal.
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
