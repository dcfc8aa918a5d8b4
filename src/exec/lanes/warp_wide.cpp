// Instructions across the lanes of a warp.
//
// Those with a member mask work, for each lane, on the lanes of its own mask that execute the
// instruction with it: lanes that have exited or are on another path take no part, and parts of a
// warp with masks of their own may execute it together.

#include "base/value_type.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Instruction;
using code::Operand;
using code::Operation;
using code::Reduction;
using code::Shuffle;
using code::Vote;
using std::int32_t;
using std::uint32_t;

/// A row read at other lanes than the one that is written, so never the destination itself.
struct alignas(64) LaneWords {
  uint32_t of[32];
};

/// The lanes that take part with each lane.
LaneWords members(const LaneContext& context, RowRef mask) {
  const uint32_t* const masks = context.row(mask);
  LaneWords members;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) members.of[lane] = masks[lane] & context.active;
  return members;
}

/// words.of[lanes.of[lane]] for every lane.
LaneWords permuted(const LaneWords& words, const LaneWords& lanes) {
  LaneWords result;
#if defined(__AVX512F__)
  const __m512i low = _mm512_load_si512(words.of);
  const __m512i high = _mm512_load_si512(words.of + 16);
  for (int lane = 0; lane < 32; lane += 16) {
    const __m512i from = _mm512_load_si512(lanes.of + lane);
    _mm512_store_si512(result.of + lane, _mm512_permutex2var_epi32(low, from, high));
  }
#else
  for (int lane = 0; lane < 32; ++lane) result.of[lane] = words.of[lanes.of[lane] & 31];
#endif
  return result;
}

/// The lane that a shuffle reads, and whether that lies within the lane's segment of the warp;
/// where it does not, a lane reads itself. What comes from a lane that does not execute the shuffle
/// is not defined: zero.
template <Shuffle kMode>
void shuffle(LaneContext& context, const Decoded& decoded) {
  const SourceRows<3> sources(context, decoded);
  LaneWords given, from, inside;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const int32_t by = static_cast<int32_t>(sources.row[1][lane] & 31);
    const int32_t clamp = static_cast<int32_t>(sources.row[2][lane] & 31);
    const int32_t segment = static_cast<int32_t>(sources.row[2][lane] >> 8 & 31);
    const int32_t first = lane & segment;
    const int32_t last = first | (clamp & ~segment);
    const int32_t target = kMode == Shuffle::up          ? lane - by
                           : kMode == Shuffle::down      ? lane + by
                           : kMode == Shuffle::butterfly ? lane ^ by
                                                         : first | (by & ~segment);
    const bool fits = kMode == Shuffle::up ? target >= last : target <= last;
    given.of[lane] = has_lane(context.active, lane) ? sources.row[0][lane] : 0;
    from.of[lane] = static_cast<uint32_t>(fits ? target : lane);
    inside.of[lane] = fits ? kAllLanes : 0;
  }
  const LaneWords received = permuted(given, from);
  write_lanes<uint32_t, true>(context, decoded.destination[0],
                              [&](int lane) { return received.of[lane]; });
  context.set_predicate(decoded.predicate_destination[0], mask_of(inside.of));
}

Handler select_shuffle(const Instruction& i) {
  if (size_of(i.type) != 4 || i.sources.size() < 3) return nullptr;
  switch (i.shuffle) {
    case Shuffle::up:
      return shuffle<Shuffle::up>;
    case Shuffle::down:
      return shuffle<Shuffle::down>;
    case Shuffle::butterfly:
      return shuffle<Shuffle::butterfly>;
    case Shuffle::index:
      return shuffle<Shuffle::index>;
  }
  return nullptr;
}

/// The old form has no mask: all lanes that execute it are members.
template <Vote kVote, bool kHasMask>
void vote(LaneContext& context, const Decoded& decoded) {
  uint32_t votes;
  int mask_source = 0;
  if (decoded.predicate_source[0].present()) {
    votes = context.predicate(decoded.predicate_source[0]);
  } else {  // A constant.
    votes = (context.row(decoded.source[0])[0] & 1) != 0 ? kAllLanes : 0;
    mask_source = 1;
  }
  LaneWords voters;
  if constexpr (kHasMask) {
    voters = members(context, decoded.source[mask_source]);
  } else {
    for (uint32_t& mask : voters.of) mask = context.active;
  }
  if constexpr (kVote == Vote::ballot) {
    write_lanes<uint32_t>(context, decoded.destination[0],
                          [&](int lane) { return voters.of[lane] & votes; });
  } else {
    LaneWords hits;
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      const uint32_t for_it = voters.of[lane] & votes;
      const bool all = for_it == voters.of[lane];
      const bool any = for_it != 0;
      const bool hit = kVote == Vote::all ? all : kVote == Vote::any ? any : all || !any;
      hits.of[lane] = hit ? kAllLanes : 0;
    }
    context.set_predicate(decoded.predicate_destination[0], mask_of(hits.of));
  }
}

template <bool kHasMask>
Handler select_vote(Vote kind) {
  switch (kind) {
    case Vote::all:
      return vote<Vote::all, kHasMask>;
    case Vote::any:
      return vote<Vote::any, kHasMask>;
    case Vote::uniform:
      return vote<Vote::uniform, kHasMask>;
    case Vote::ballot:
      return vote<Vote::ballot, kHasMask>;
  }
  return nullptr;
}
Handler select_vote(const Instruction& i) {
  const std::size_t sources = i.synchronous ? 2 : 1;
  if (i.sources.size() != sources) return nullptr;
  if (!i.sources[0].is_predicate() && i.sources[0].kind != Operand::Kind::immediate) return nullptr;
  return i.synchronous ? select_vote<true>(i.vote) : select_vote<false>(i.vote);
}

/// For each active lane, the active lanes that have the same value.
template <int kRows>
LaneWords equals(const LaneContext& context, const uint32_t* values) {
  LaneWords result{};
  for (uint32_t left = context.active; left != 0;) {
    const int leader = __builtin_ctz(left);
    LaneWords same;
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      uint32_t differ = values[lane] ^ values[leader];
      if constexpr (kRows == 2) differ |= values[lane + 32] ^ values[leader + 32];
      same.of[lane] = differ == 0 ? kAllLanes : 0;
    }
    const uint32_t group = mask_of(same.of) & context.active;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) result.of[__builtin_ctz(rest)] = group;
    left &= ~group;
  }
  return result;
}

template <int kRows, bool kAll>
void match(LaneContext& context, const Decoded& decoded) {
  const LaneWords equal = equals<kRows>(context, context.row(decoded.source[0]));
  const LaneWords with = members(context, decoded.source[1]);
  LaneWords hits;
  write_lanes<uint32_t, true>(context, decoded.destination[0], [&](int lane) {
    const uint32_t matches = equal.of[lane] & with.of[lane];
    const uint32_t everyone = matches == with.of[lane] ? kAllLanes : 0;
    hits.of[lane] = everyone;
    return kAll ? matches & everyone : matches;
  });
  if constexpr (kAll) context.set_predicate(decoded.predicate_destination[0], mask_of(hits.of));
}

Handler select_match(const Instruction& i) {
  if (size_of(i.type) == 4) return i.match_all ? match<1, true> : match<1, false>;
  if (size_of(i.type) == 8) return i.match_all ? match<2, true> : match<2, false>;
  return nullptr;
}

void activemask(LaneContext& context, const Decoded& decoded) {
  const uint32_t active = context.active;
  write_lanes<uint32_t>(context, decoded.destination[0], [&](int) { return active; });
}

/// Lanes with one and the same mask get the same result.
template <class T, class Meaning>
Handler redux_handler(Meaning) {
  return [](LaneContext& context, const Decoded& decoded) {
    const uint32_t* const values = context.row(decoded.source[0]);
    const LaneWords with = members(context, decoded.source[1]);
    LaneWords results{};
    for (uint32_t left = context.active; left != 0;) {
      const uint32_t group = with.of[__builtin_ctz(left)];
      uint32_t rest = group;
      T result = group != 0 ? static_cast<T>(values[__builtin_ctz(group)]) : T{0};
      while ((rest &= rest - 1) != 0) {
        result = static_cast<T>(Meaning{}(result, static_cast<T>(values[__builtin_ctz(rest)])));
      }
      for (uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        if (with.of[lane] != group) continue;
        results.of[lane] = static_cast<uint32_t>(result);
        left &= ~kLaneBits.of[lane];
      }
    }
    write_lanes<uint32_t>(context, decoded.destination[0],
                          [&](int lane) { return results.of[lane]; });
  };
}

Handler select_redux(const Instruction& i) {
  const auto min = [](auto a, auto b) { return a < b ? a : b; };
  const auto max = [](auto a, auto b) { return a > b ? a : b; };
  const bool is_signed = i.type == ValueType::s32;
  if (!is_signed && i.type != ValueType::u32 && i.type != ValueType::b32) return nullptr;
  switch (i.reduction) {
    case Reduction::and_:
      return redux_handler<uint32_t>([](auto a, auto b) { return a & b; });
    case Reduction::or_:
      return redux_handler<uint32_t>([](auto a, auto b) { return a | b; });
    case Reduction::xor_:
      return redux_handler<uint32_t>([](auto a, auto b) { return a ^ b; });
    case Reduction::add:
      return redux_handler<uint32_t>([](auto a, auto b) { return a + b; });
    case Reduction::min:
      return is_signed ? redux_handler<int32_t>(min) : redux_handler<uint32_t>(min);
    case Reduction::max:
      return is_signed ? redux_handler<int32_t>(max) : redux_handler<uint32_t>(max);
    default:
      return nullptr;
  }
}

/// The leader is the lowest of the lanes that take part.
void elect(LaneContext& context, const Decoded& decoded) {
  const LaneWords with = members(context, decoded.source[0]);
  LaneWords leads;
  write_lanes<uint32_t, true>(context, decoded.destination[0], [&](int lane) {
    const uint32_t leader =
        with.of[lane] != 0 ? static_cast<uint32_t>(__builtin_ctz(with.of[lane])) : 0;
    leads.of[lane] = leader == static_cast<uint32_t>(lane) ? kAllLanes : 0;
    return leader;
  });
  context.set_predicate(decoded.predicate_destination[0], mask_of(leads.of));
}

}  // namespace

Handler select_warp_wide(const Instruction& i) {
  switch (i.operation) {
    case Operation::shfl:
      return select_shuffle(i);
    case Operation::vote:
      return select_vote(i);
    case Operation::match:
      return select_match(i);
    case Operation::activemask:
      return activemask;
    case Operation::redux:
      return select_redux(i);
    case Operation::elect:
      return elect;
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
