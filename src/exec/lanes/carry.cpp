// Sums that take or give a carry: add.cc, addc, sub.cc, subc, mad.cc, madc.

#include "exec/lanes/by_type.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;

template <class T>
struct Sum {
  T value;
  bool carry;
};

template <class T>
[[gnu::always_inline]] inline Sum<T> sum(T a, T b, T carry) {
  const T partial = a + b;
  const T value = partial + carry;
  return {value, bool((partial < a) | (value < partial))};
}
template <class T>
[[gnu::always_inline]] inline Sum<T> difference(T a, T b, T borrow) {
  const T partial = a - b;
  return {partial - borrow, bool((a < b) | (partial < borrow))};
}
template <class T, class Signed>
[[gnu::always_inline]] inline T high_product(T a, T b) {
  const auto product = Wider<Signed>{static_cast<Signed>(a)} * static_cast<Signed>(b);
  return static_cast<T>(product >> kBits<T>);
}

/// A handler for meaning(source 0, ..., carry), a Sum. The carry comes from the source predicate
/// and goes to the destination predicate, where there are such.
template <class... In, class Meaning>
Handler carry_handler(Meaning) {
  return [](LaneContext& context, const Decoded& decoded) {
    using T = std::common_type_t<In...>;
    const SourceRows<sizeof...(In)> sources(context, decoded);
    const PredicateRef carry_in = decoded.predicate_source[0];
    const std::uint32_t carry = carry_in.present() ? context.predicate(carry_in) : 0;
    alignas(64) std::uint32_t carries[32];
    write_lanes<T, true>(
        context, decoded.destination[0], [&](int lane) __attribute__((always_inline)) {
          const Sum<T> result = apply<In...>(
              [&](In... in) { return Meaning{}(in..., T{has_lane(carry, lane)}); }, sources, lane);
          carries[lane] = result.carry ? kAllLanes : 0;
          return result.value;
        });
    context.set_predicate(decoded.predicate_destination[0], mask_of(carries));
  };
}

template <class T, class Signed>
Handler select_for(Operation operation) {
  switch (operation) {
    case Operation::add:
      return carry_handler<T, T>([](T a, T b, T carry) { return sum<T>(a, b, carry); });
    case Operation::sub:
      return carry_handler<T, T>([](T a, T b, T carry) { return difference<T>(a, b, carry); });
    case Operation::mad_lo:
      return carry_handler<T, T, T>([](T a, T b, T c, T carry) { return sum<T>(a * b, c, carry); });
    case Operation::mad_hi:
      return carry_handler<T, T, T>(
          [](T a, T b, T c, T carry) { return sum<T>(high_product<T, Signed>(a, b), c, carry); });
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_carry(const Instruction& i) {
  if (!(i.carry_in || i.carry_out) || i.saturate) return nullptr;
  switch (i.type) {
    case ValueType::b32:
    case ValueType::u32:
      return select_for<std::uint32_t, std::uint32_t>(i.operation);
    case ValueType::s32:
      return select_for<std::uint32_t, std::int32_t>(i.operation);
    case ValueType::b64:
    case ValueType::u64:
      return select_for<std::uint64_t, std::uint64_t>(i.operation);
    case ValueType::s64:
      return select_for<std::uint64_t, std::int64_t>(i.operation);
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
