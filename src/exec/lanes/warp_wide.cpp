// Warp-wide instructions, which exchange data among the lanes of a warp.
//
// With a member mask, each lane works with those lanes of its own mask that execute the instruction
// together with it. Lanes that have exited or are on another path do not participate. Parts of a
// warp with different masks may execute the instruction together.

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

/// A register that is read at lanes other than the one written. It is a copy, never the
/// destination.
struct alignas(64) LaneWords {
  uint32_t of[32];
};

/// The participating lanes of each lane's member mask.
LaneWords members(const WarpContext& context, OperandRef mask) {
  const uint32_t* const masks = context.lanes(mask);
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

/// shfl. The predicate result says whether the source lane is within the lane's segment of the
/// warp. If not, the lane reads its own value. The value of a lane that does not execute the
/// shuffle is undefined in PTX, and zero here.
template <Shuffle kMode>
void shuffle(WarpContext& context, const Decoded& decoded) {
  const SourceRegisters<3> sources(context, decoded);
  LaneWords given, from, inside;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const int32_t by = static_cast<int32_t>(sources.of[1][lane] & 31);
    const int32_t clamp = static_cast<int32_t>(sources.of[2][lane] & 31);
    const int32_t segment = static_cast<int32_t>(sources.of[2][lane] >> 8 & 31);
    const int32_t first = lane & segment;
    const int32_t last = first | (clamp & ~segment);
    const int32_t target = kMode == Shuffle::up          ? lane - by
                           : kMode == Shuffle::down      ? lane + by
                           : kMode == Shuffle::butterfly ? lane ^ by
                                                         : first | (by & ~segment);
    const bool fits = kMode == Shuffle::up ? target >= last : target <= last;
    given.of[lane] = has_lane(context.active, lane) ? sources.of[0][lane] : 0;
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

/// vote. The form without .sync has no mask: all lanes that execute it are members.
template <Vote kVote, bool kHasMask>
void vote(WarpContext& context, const Decoded& decoded) {
  uint32_t votes;
  int mask_source = 0;
  if (decoded.predicate_source[0].present()) {
    votes = context.predicate(decoded.predicate_source[0]);
  } else {  // A constant.
    votes = (context.lanes(decoded.source[0])[0] & 1) != 0 ? kAllLanes : 0;
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

/// For each active lane, the active lanes with the same value.
template <int kRegisters>
LaneWords equals(const WarpContext& context, const uint32_t* values) {
  LaneWords result{};
  for (uint32_t left = context.active; left != 0;) {
    const int leader = __builtin_ctz(left);
    LaneWords same;
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      uint32_t differ = values[lane] ^ values[leader];
      if constexpr (kRegisters == 2) differ |= values[lane + 32] ^ values[leader + 32];
      same.of[lane] = differ == 0 ? kAllLanes : 0;
    }
    const uint32_t group = mask_of(same.of) & context.active;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) result.of[__builtin_ctz(rest)] = group;
    left &= ~group;
  }
  return result;
}

template <int kRegisters, bool kAll>
void match(WarpContext& context, const Decoded& decoded) {
  const LaneWords equal = equals<kRegisters>(context, context.lanes(decoded.source[0]));
  const LaneWords with = members(context, decoded.source[1]);
  LaneWords hits;
  write_lanes<uint32_t, true>(context, decoded.destination[0], [&](int lane) {
    const uint32_t matches = equal.of[lane] & with.of[lane];
    const uint32_t all_match = matches == with.of[lane] ? kAllLanes : 0;
    hits.of[lane] = all_match;
    return kAll ? matches & all_match : matches;
  });
  if constexpr (kAll) context.set_predicate(decoded.predicate_destination[0], mask_of(hits.of));
}

Handler select_match(const Instruction& i) {
  if (size_of(i.type) == 4) return i.match_all ? match<1, true> : match<1, false>;
  if (size_of(i.type) == 8) return i.match_all ? match<2, true> : match<2, false>;
  return nullptr;
}

void activemask(WarpContext& context, const Decoded& decoded) {
  const uint32_t active = context.active;
  write_lanes<uint32_t>(context, decoded.destination[0], [&](int) { return active; });
}

/// redux. Lanes with the same member mask get the same result.
template <class T, class Computation>
Handler redux_handler(Computation) {
  return [](WarpContext& context, const Decoded& decoded) {
    const uint32_t* const values = context.lanes(decoded.source[0]);
    const LaneWords with = members(context, decoded.source[1]);
    LaneWords results{};
    for (uint32_t left = context.active; left != 0;) {
      const uint32_t group = with.of[__builtin_ctz(left)];
      uint32_t rest = group;
      T result = group != 0 ? static_cast<T>(values[__builtin_ctz(group)]) : T{0};
      while ((rest &= rest - 1) != 0) {
        result = static_cast<T>(Computation{}(result, static_cast<T>(values[__builtin_ctz(rest)])));
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

/// elect. The leader is the lowest participating lane.
void elect(WarpContext& context, const Decoded& decoded) {
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
