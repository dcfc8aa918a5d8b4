// Moves of registers, of parts of registers and of predicates, and selections between two values.

#include "exec/lanes/by_type.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/predicates.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operand;
using code::Operation;
using std::uint32_t;
using std::uint64_t;

// -- registers -----------------------------------------------------------------------------------

/// The handler of a move of a 128-bit value.
void move_quad(WarpContext& context, const Decoded& decoded) {
  alignas(64) uint32_t copy[4 * 32];
  const uint32_t* const from = context.lanes(decoded.source[0]);
  for (int i = 0; i < 4 * 32; ++i) copy[i] = from[i];
  merge_registers<4>(context.lanes(decoded.destination[0]), copy, context.active);
}

Handler select_move_registers(const Instruction& i) {
  if (size_of(i.type) == 0) return nullptr;
  switch (registers_of(i.type)) {
    case 1:
      return same_type<uint32_t, 1>([](uint32_t a) { return a; });
    case 2:
      return same_type<Pair, 1>([](Pair a) { return a; });
    case 4:
      return i.sources[0].is_register() ? move_quad : nullptr;
    default:
      return nullptr;
  }
}

/// The handler that packs `Count` parts into a T. Sources are parts, the lowest first.
template <class T, int Count>
void pack(WarpContext& context, const Decoded& decoded) {
  constexpr int kPart = kBits<T> / Count;
  const uint32_t* parts[Count];
  for (int part = 0; part < Count; ++part) {
    parts[part] = context.lanes(Count > static_cast<int>(std::size(decoded.source))
                                    ? context.more_sources[decoded.offset + part]
                                    : decoded.source[part]);
  }
  if constexpr (kPart == 32) {
    write_lanes<Pair>(context, decoded.destination[0], [&](int lane) {
      return Pair{parts[0][lane], parts[1][lane]};
    });
  } else {
    write_lanes<T>(context, decoded.destination[0], [&](int lane) {
      T value = 0;
      for (int part = 0; part < Count; ++part) {
        value |= T{parts[part][lane] & ((1U << kPart) - 1)} << part * kPart;
      }
      return value;
    });
  }
}

/// The handler that unpacks the `Count` parts of a T. Each part has a destination register or none.
template <class T, int Count>
void unpack(WarpContext& context, const Decoded& decoded) {
  constexpr int kPart = kBits<T> / Count;
  constexpr int kWords = kBits<T> / 32;
  constexpr int kPerWord = Count / kWords;
  // The source is copied, because a destination may be the same register.
  alignas(64) uint32_t copy[kWords * 32];
  const uint32_t* const from = context.lanes(decoded.source[0]);
  for (int i = 0; i < kWords * 32; ++i) copy[i] = from[i];
  for (int part = 0; part < Count; ++part) {
    OperandRef destination;
    if (part < static_cast<int>(std::size(decoded.destination))) {
      destination = decoded.destination[part];
    } else {
      const Operand& operand = context.code[decoded.index].destinations[part];
      if (operand.present()) destination = OperandRef(OperandRef::Base::registers, operand.index);
    }
    if (!destination.present()) continue;
    const uint32_t* const word = copy + part / kPerWord * 32;
    const int shift = part % kPerWord * kPart;
    write_lanes<uint32_t>(context, destination, [&](int lane) {
      return kPart == 32 ? word[lane] : word[lane] >> shift & ((1U << kPart % 32) - 1);
    });
  }
}

Handler select_pack(ValueType type, std::size_t parts) {
  if (registers_of(type) == 2) {
    switch (parts) {
      case 2:
        return pack<uint64_t, 2>;
      case 4:
        return pack<uint64_t, 4>;
      case 8:
        return pack<uint64_t, 8>;
      default:
        return nullptr;
    }
  }
  if (size_of(type) != 4) return nullptr;
  return parts == 2 ? pack<uint32_t, 2> : parts == 4 ? pack<uint32_t, 4> : nullptr;
}

Handler select_unpack(ValueType type, std::size_t parts) {
  if (registers_of(type) == 2) {
    switch (parts) {
      case 2:
        return unpack<uint64_t, 2>;
      case 4:
        return unpack<uint64_t, 4>;
      case 8:
        return unpack<uint64_t, 8>;
      default:
        return nullptr;
    }
  }
  if (size_of(type) != 4) return nullptr;
  return parts == 2 ? unpack<uint32_t, 2> : parts == 4 ? unpack<uint32_t, 4> : nullptr;
}

// -- selection -----------------------------------------------------------------------------------

/// Returns `a` if `first` is true, else `b`.
template <class T>
[[gnu::always_inline]] inline T chosen(bool first, T a, T b) {
  if constexpr (std::is_same_v<T, Pair>) {
    return {choose(first, a.low, b.low), choose(first, a.high, b.high)};
  } else {
    return choose(first, a, b);
  }
}

template <class T>
void select_by_predicate(WarpContext& context, const Decoded& decoded) {
  const SourceRegisters<2> sources(context, decoded);
  const uint32_t first = context.predicate(decoded.predicate_source[0]);
  write_lanes<T>(context, decoded.destination[0], [&](int lane) {
    return chosen(has_lane(first, lane), get<T>(sources.registers[0], lane),
                  get<T>(sources.registers[1], lane));
  });
}

template <class T>
Handler select_by_sign(const Instruction& i) {
  if (i.source_type == ValueType::s32) {
    return lanes_handler<T, T, T, std::int32_t>(
        [](T a, T b, std::int32_t sign) { return chosen(sign >= 0, a, b); });
  }
  if (i.source_type != ValueType::f32) return nullptr;
  // The condition is sign >= 0. It is false for NaN, and true for -0. With .ftz it is also true for
  // negative subnormals, which are flushed to -0.
  if (i.flush_subnormals) {
    return lanes_handler<T, T, T, float>(
        [](T a, T b, float sign) { return chosen(sign > -0x1p-126F, a, b); });
  }
  return lanes_handler<T, T, T, float>(
      [](T a, T b, float sign) { return chosen(sign >= 0, a, b); });
}

// -- predicates ----------------------------------------------------------------------------------

template <class Computation>
Handler predicate_handler(const Instruction& i, std::size_t sources, Computation) {
  if (i.sources.size() != sources) return nullptr;
  for (const Operand& source : i.sources) {
    if (!source.is_predicate()) return nullptr;
  }
  return [](WarpContext& context, const Decoded& decoded) {
    const uint32_t a = context.predicate(decoded.predicate_source[0]);
    const uint32_t b = context.predicate(decoded.predicate_source[1]);
    context.set_predicate(decoded.predicate_destination[0], Computation{}(a, b));
  };
}

Handler select_predicate_move(const Instruction& i) {
  if (i.sources.size() == 1 && i.sources[0].kind == Operand::Kind::immediate) {
    return [](WarpContext& context, const Decoded& decoded) {
      const bool set = (context.lanes(decoded.source[0])[0] & 1) != 0;
      context.set_predicate(decoded.predicate_destination[0], set ? kAllLanes : 0);
    };
  }
  return predicate_handler(i, 1, [](uint32_t a, uint32_t) { return a; });
}

// The next two handlers read their predicates from the instruction, since there may be more than
// Decoded has space for.

void predicates_to_register(WarpContext& context, const Decoded& decoded) {
  alignas(64) uint32_t bits[32] = {};
  uint32_t bit = 1;
  for (const Operand& source : context.code[decoded.index].sources) {
    const uint32_t lanes = context.predicate(PredicateRef(source.index, source.negated));
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) bits[lane] |= has_lane(lanes, lane) ? bit : 0;
    bit <<= 1;
  }
  write_lanes<uint32_t>(context, decoded.destination[0], [&](int lane) { return bits[lane]; });
}

void register_to_predicates(WarpContext& context, const Decoded& decoded) {
  const uint32_t* const from = context.lanes(decoded.source[0]);
  uint32_t bit = 1;
  for (const Operand& destination : context.code[decoded.index].destinations) {
    alignas(64) uint32_t hits[32];
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) hits[lane] = (from[lane] & bit) != 0 ? kAllLanes : 0;
    if (destination.is_predicate()) {
      context.set_predicate(PredicateRef(destination.index, false), mask_of(hits));
    }
    bit <<= 1;
  }
}

bool all_predicates(const auto& operands) {
  for (const Operand& operand : operands) {
    if (operand.present() && !operand.is_predicate()) return false;
  }
  return true;
}

}  // namespace

Handler select_move(const Instruction& i) {
  const bool wide = registers_of(i.type) == 2;
  switch (i.operation) {
    case Operation::move:
      return select_move_registers(i);
    case Operation::pack:
      return select_pack(i.type, i.sources.size());
    case Operation::unpack:
      return select_unpack(i.type, i.destinations.size());
    case Operation::select:
      if (registers_of(i.type) > 2 || !i.sources[2].is_predicate()) return nullptr;
      return wide ? select_by_predicate<Pair> : select_by_predicate<uint32_t>;
    case Operation::select_sign:
      if (registers_of(i.type) > 2) return nullptr;
      return wide ? select_by_sign<Pair>(i) : select_by_sign<uint32_t>(i);
    case Operation::predicate_move:
      return select_predicate_move(i);
    case Operation::predicate_and:
      return predicate_handler(i, 2, [](uint32_t a, uint32_t b) { return a & b; });
    case Operation::predicate_or:
      return predicate_handler(i, 2, [](uint32_t a, uint32_t b) { return a | b; });
    case Operation::predicate_xor:
      return predicate_handler(i, 2, [](uint32_t a, uint32_t b) { return a ^ b; });
    case Operation::predicate_not:
      return predicate_handler(i, 1, [](uint32_t a, uint32_t) { return ~a; });
    case Operation::predicates_to_register:
      return all_predicates(i.sources) ? predicates_to_register : nullptr;
    case Operation::register_to_predicates:
      return all_predicates(i.destinations) ? register_to_predicates : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
