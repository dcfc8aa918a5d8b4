// Additions and subtractions with a carry in or out: add.cc, addc, sub.cc, subc, mad.cc, madc.

#include "exec/lanes/by_type.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operation;

/// Returns a + b + carry, and sets `carry_out`. `carry` is 0 or 1.
template <class T>
[[gnu::always_inline]] inline T sum(T a, T b, T carry, bool& carry_out) {
  const T partial = a + b;
  const T value = partial + carry;
  carry_out = bool((partial < a) | (value < partial));
  return value;
}
/// The upper half of a product of two values of type `Signed`, which is T or its signed
/// counterpart.
template <class T, class Signed>
[[gnu::always_inline]] inline T high_product(T a, T b) {
  const auto product = Wider<Signed>{static_cast<Signed>(a)} * static_cast<Signed>(b);
  return static_cast<T>(product >> kBits<T>);
}

/// The handler of compute(source, carry, carry_out), where source(i) is source i. The carry in is
/// the source predicate; without a source predicate, it is kDefaultCarry, a lane mask. The carry
/// out is written to the destination predicate if there is one.
template <class T, std::size_t kSources, std::uint32_t kDefaultCarry = 0, class Computation>
Handler carry_handler(Computation) {
  return [](WarpContext& context, const Decoded& decoded) {
    const SourceRegisters<kSources> sources(context, decoded);
    const PredicateRef carry_in = decoded.predicate_source[0];
    const std::uint32_t carry = carry_in.present() ? context.predicate(carry_in) : kDefaultCarry;
    alignas(64) std::uint32_t carries[32];
    write_lanes<T, true>(
        context, decoded.destination[0], [&](int lane) __attribute__((always_inline)) {
          const auto source = [&](std::size_t i) { return get<T>(sources.registers[i], lane); };
          bool carry_out = false;
          const T value = Computation{}(source, T{has_lane(carry, lane)}, carry_out);
          carries[lane] = carry_out ? kAllLanes : 0;
          return value;
        });
    context.set_predicate(decoded.predicate_destination[0], mask_of(carries));
  };
}

template <class T, class Signed>
Handler select_by_operation(Operation operation) {
  switch (operation) {
    case Operation::add:
      return carry_handler<T, 2>(
          [](auto s, T carry, bool& out) { return sum<T>(s(0), s(1), carry, out); });
    case Operation::sub:
      // The carry out is that of s0 + ~s1 + 1: it is set if there is no borrow. nvcc's code for
      // 128-bit division, which uses addc after a subc.cc, is correct only with this convention.
      return carry_handler<T, 2, kAllLanes>([](auto s, T carry, bool& out) {
        return sum<T>(s(0), static_cast<T>(~s(1)), carry, out);
      });
    case Operation::mad_lo:
      return carry_handler<T, 3>(
          [](auto s, T carry, bool& out) { return sum<T>(s(0) * s(1), s(2), carry, out); });
    case Operation::mad_hi:
      return carry_handler<T, 3>([](auto s, T carry, bool& out) {
        return sum<T>(high_product<T, Signed>(s(0), s(1)), s(2), carry, out);
      });
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
      return select_by_operation<std::uint32_t, std::uint32_t>(i.operation);
    case ValueType::s32:
      return select_by_operation<std::uint32_t, std::int32_t>(i.operation);
    case ValueType::b64:
    case ValueType::u64:
      return select_by_operation<std::uint64_t, std::uint64_t>(i.operation);
    case ValueType::s64:
      return select_by_operation<std::uint64_t, std::int64_t>(i.operation);
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
