// Warp-wide instructions, which exchange data among the lanes of a warp.
//
// If the instruction has a member mask, each lane works together with those lanes in its own mask
// that execute the instruction at the same time. Lanes that have exited, or are on another path,
// take no part. Lanes with different masks may execute the instruction at the same time.

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

/// A word for each lane. It is used as a copy of a register if a lane reads other lanes of that
/// register, which may also be the destination.
struct alignas(64) LaneWords {
  uint32_t by_lane[32];
};

/// For each lane, the active lanes in its member mask.
LaneWords member_masks(const WarpContext& context, OperandRef mask) {
  const uint32_t* const masks = context.lanes(mask);
  LaneWords members;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) members.by_lane[lane] = masks[lane] & context.active;
  return members;
}

/// Returns, for every lane, the word of the lane that `lanes` names.
LaneWords permuted(const LaneWords& words, const LaneWords& lanes) {
  LaneWords result;
#if defined(__AVX512F__)
  const __m512i low = _mm512_load_si512(words.by_lane);
  const __m512i high = _mm512_load_si512(words.by_lane + 16);
  for (int lane = 0; lane < 32; lane += 16) {
    const __m512i from = _mm512_load_si512(lanes.by_lane + lane);
    _mm512_store_si512(result.by_lane + lane, _mm512_permutex2var_epi32(low, from, high));
  }
#else
  for (int lane = 0; lane < 32; ++lane)
    result.by_lane[lane] = words.by_lane[lanes.by_lane[lane] & 31];
#endif
  return result;
}

/// The handler of shfl. The predicate result says whether the source lane is in the lane's segment
/// of the warp. If it is not, the lane reads its own value. The value read from a lane that does
/// not execute the instruction is undefined in PTX; here it is zero.
template <Shuffle kMode>
void shuffle(WarpContext& context, const Decoded& decoded) {
  const SourceRegisters<3> sources(context, decoded);
  LaneWords values, source_lanes, in_segment;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const int32_t by = static_cast<int32_t>(sources.registers[1][lane] & 31);
    const int32_t clamp = static_cast<int32_t>(sources.registers[2][lane] & 31);
    const int32_t segment = static_cast<int32_t>(sources.registers[2][lane] >> 8 & 31);
    const int32_t first = lane & segment;
    const int32_t last = first | (clamp & ~segment);
    const int32_t target = kMode == Shuffle::up          ? lane - by
                           : kMode == Shuffle::down      ? lane + by
                           : kMode == Shuffle::butterfly ? lane ^ by
                                                         : first | (by & ~segment);
    const bool fits = kMode == Shuffle::up ? target >= last : target <= last;
    values.by_lane[lane] = has_lane(context.active, lane) ? sources.registers[0][lane] : 0;
    source_lanes.by_lane[lane] = static_cast<uint32_t>(fits ? target : lane);
    in_segment.by_lane[lane] = fits ? kAllLanes : 0;
  }
  const LaneWords received = permuted(values, source_lanes);
  write_lanes<uint32_t, true>(context, decoded.destination[0],
                              [&](int lane) { return received.by_lane[lane]; });
  context.set_predicate(decoded.predicate_destination[0], mask_of(in_segment.by_lane));
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

/// The handler of vote. The form without .sync has no member mask; all active lanes take part.
template <Vote kVote, bool kHasMask>
void vote(WarpContext& context, const Decoded& decoded) {
  uint32_t votes;
  int mask_source = 0;
  if (decoded.predicate_source[0].present()) {
    votes = context.predicate(decoded.predicate_source[0]);
  } else {  // The predicate is a constant.
    votes = (context.lanes(decoded.source[0])[0] & 1) != 0 ? kAllLanes : 0;
    mask_source = 1;
  }
  LaneWords voters;
  if constexpr (kHasMask) {
    voters = member_masks(context, decoded.source[mask_source]);
  } else {
    for (uint32_t& mask : voters.by_lane) mask = context.active;
  }
  if constexpr (kVote == Vote::ballot) {
    write_lanes<uint32_t>(context, decoded.destination[0],
                          [&](int lane) { return voters.by_lane[lane] & votes; });
  } else {
    LaneWords hits;
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      const uint32_t yes_votes = voters.by_lane[lane] & votes;
      const bool all = yes_votes == voters.by_lane[lane];
      const bool any = yes_votes != 0;
      const bool hit = kVote == Vote::all ? all : kVote == Vote::any ? any : all || !any;
      hits.by_lane[lane] = hit ? kAllLanes : 0;
    }
    context.set_predicate(decoded.predicate_destination[0], mask_of(hits.by_lane));
  }
}

template <bool kHasMask>
Handler select_vote(Vote mode) {
  switch (mode) {
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

/// For each active lane, the mask of the active lanes with the same value.
template <int kRegisters>
LaneWords equal_lanes(const WarpContext& context, const uint32_t* values) {
  LaneWords result{};
  for (uint32_t remaining = context.active; remaining != 0;) {
    const int leader = __builtin_ctz(remaining);
    LaneWords same;
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      uint32_t differ = values[lane] ^ values[leader];
      if constexpr (kRegisters == 2) differ |= values[lane + 32] ^ values[leader + 32];
      same.by_lane[lane] = differ == 0 ? kAllLanes : 0;
    }
    const uint32_t group = mask_of(same.by_lane) & context.active;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1)
      result.by_lane[__builtin_ctz(rest)] = group;
    remaining &= ~group;
  }
  return result;
}

template <int kRegisters, bool kAll>
void match(WarpContext& context, const Decoded& decoded) {
  const LaneWords equal = equal_lanes<kRegisters>(context, context.lanes(decoded.source[0]));
  const LaneWords members = member_masks(context, decoded.source[1]);
  LaneWords hits;
  write_lanes<uint32_t, true>(context, decoded.destination[0], [&](int lane) {
    const uint32_t matches = equal.by_lane[lane] & members.by_lane[lane];
    const uint32_t all_match = matches == members.by_lane[lane] ? kAllLanes : 0;
    hits.by_lane[lane] = all_match;
    return kAll ? matches & all_match : matches;
  });
  if constexpr (kAll)
    context.set_predicate(decoded.predicate_destination[0], mask_of(hits.by_lane));
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

/// The handler of redux. It computes each result once for all lanes with the same member mask.
template <class T, class Computation>
Handler redux_handler(Computation) {
  return [](WarpContext& context, const Decoded& decoded) {
    const uint32_t* const values = context.lanes(decoded.source[0]);
    const LaneWords members = member_masks(context, decoded.source[1]);
    LaneWords results{};
    for (uint32_t remaining = context.active; remaining != 0;) {
      const uint32_t group = members.by_lane[__builtin_ctz(remaining)];
      uint32_t rest = group;
      T result = group != 0 ? static_cast<T>(values[__builtin_ctz(group)]) : T{0};
      while ((rest &= rest - 1) != 0) {
        result = static_cast<T>(Computation{}(result, static_cast<T>(values[__builtin_ctz(rest)])));
      }
      for (uint32_t lanes = remaining; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        if (members.by_lane[lane] != group) continue;
        results.by_lane[lane] = static_cast<uint32_t>(result);
        remaining &= ~kLaneBits.by_lane[lane];
      }
    }
    write_lanes<uint32_t>(context, decoded.destination[0],
                          [&](int lane) { return results.by_lane[lane]; });
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

/// The handler of elect. The leader is the lowest active lane in the member mask.
void elect(WarpContext& context, const Decoded& decoded) {
  const LaneWords members = member_masks(context, decoded.source[0]);
  LaneWords is_leader;
  write_lanes<uint32_t, true>(context, decoded.destination[0], [&](int lane) {
    const uint32_t leader = members.by_lane[lane] != 0
                                ? static_cast<uint32_t>(__builtin_ctz(members.by_lane[lane]))
                                : 0;
    is_leader.by_lane[lane] = leader == static_cast<uint32_t>(lane) ? kAllLanes : 0;
    return leader;
  });
  context.set_predicate(decoded.predicate_destination[0], mask_of(is_leader.by_lane));
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
