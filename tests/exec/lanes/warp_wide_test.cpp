// Instructions that exchange values between lanes (shuffles, votes, matches, reductions), compared
// with the PTX manual's rules for each lane.

#include "exec/lanes/lane_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::Operand;
using code::Operation;
using code::Reduction;
using code::Shuffle;
using code::Vote;

constexpr std::uint32_t kAll = 0xffffffff;
bool has(std::uint32_t mask, int lane) { return (mask >> lane & 1) != 0; }

/// A warp with random values below `range` in the register pair 0 and 1.
LaneHarness random_warp(std::mt19937_64& random, std::uint64_t range = ~std::uint64_t{0}) {
  LaneHarness harness;
  for (int lane = 0; lane < 32; ++lane) harness.set(0, lane, random() % range);
  return harness;
}

/// Typical member masks: all lanes, the active lanes, tiles of the warp.
std::vector<std::function<std::uint32_t(int lane, std::uint32_t active)>> member_masks() {
  return {
      [](int, std::uint32_t) { return kAll; },
      [](int, std::uint32_t active) { return active; },
      [](int lane, std::uint32_t) { return lane < 16 ? 0x0000ffffU : 0xffff0000U; },
      [](int lane, std::uint32_t) { return 0xfU << (lane / 4 * 4); },
      [](int lane, std::uint32_t) { return lane % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU; },
  };
}

/// The lane from which a shuffle reads, and whether it is inside the segment.
struct SourceLane {
  int lane;
  bool inside;
};
/// The manual's pseudo-code.
SourceLane source_lane(Shuffle mode, int lane, std::uint32_t b, std::uint32_t c) {
  const int bval = static_cast<int>(b & 0x1f);
  const int cval = static_cast<int>(c & 0x1f);
  const int segment_mask = static_cast<int>(c >> 8 & 0x1f);
  const int max_lane = (lane & segment_mask) | (cval & (31 - segment_mask));
  const int min_lane = lane & segment_mask;
  int j = 0;
  bool inside = false;
  switch (mode) {
    case Shuffle::up:
      j = lane - bval;
      inside = j >= max_lane;
      break;
    case Shuffle::down:
      j = lane + bval;
      inside = j <= max_lane;
      break;
    case Shuffle::butterfly:
      j = lane ^ bval;
      inside = j <= max_lane;
      break;
    case Shuffle::index:
      j = min_lane | (bval & (31 - segment_mask));
      inside = j <= max_lane;
      break;
  }
  return {inside ? j : lane, inside};
}

TEST(WarpWide, ShuffleReadsLaneOfSegment) {
  std::mt19937_64 random(1);
  for (const VectorUnit& unit : vector_units()) {
    for (const Shuffle mode : {Shuffle::up, Shuffle::down, Shuffle::butterfly, Shuffle::index}) {
      for (int round = 0; round < 200; ++round) {
        LaneHarness harness = random_warp(random);
        // The operands that CUDA uses for a width, or random ones.
        const std::uint32_t width = 1U << random() % 6;
        const std::uint32_t segment = (32 - width) << 8;
        const bool uniform = round % 2 == 0;
        const std::uint32_t b = static_cast<std::uint32_t>(round < 100 ? random() % 33 : random());
        const std::uint32_t c = round < 150 ? segment | (mode == Shuffle::up ? 0U : 31U)
                                            : static_cast<std::uint32_t>(random());
        const bool in_place = round % 3 == 0;
        for (int lane = 0; lane < 32; ++lane) {
          harness.set(2, lane, uniform ? b : static_cast<std::uint32_t>(random()));
          harness.set(3, lane, uniform ? c : segment | static_cast<std::uint32_t>(random() % 32));
        }
        Instruction shfl = instruction_of(Operation::shfl, ValueType::b32);
        shfl.shuffle = mode;
        shfl.sources = {Operand::reg(0), Operand::reg(2), Operand::reg(3),
                        Operand::immediate(kAll)};
        shfl.destinations = {Operand::reg(in_place ? 0 : 8), Operand::predicate(1)};
        if (round % 5 == 0) {
          shfl.synchronous = false;
          shfl.sources.pop_back();
        }
        const std::uint32_t active = round % 4 == 0 ? static_cast<std::uint32_t>(random()) : kAll;
        harness.context.active = active;
        const LaneHarness before = harness;
        ASSERT_TRUE(harness.execute(shfl, unit));
        for (int lane = 0; lane < 32; ++lane) {
          const std::uint32_t place = in_place ? 0 : 8;
          if (!has(active, lane)) {
            ASSERT_EQ(harness.word(place, lane), before.word(place, lane));
            ASSERT_FALSE(has(harness.predicate(1), lane));
            continue;
          }
          const SourceLane from =
              source_lane(mode, lane, before.word(2, lane), before.word(3, lane));
          const std::uint32_t expected = has(active, from.lane) ? before.word(0, from.lane) : 0;
          ASSERT_EQ(harness.word(place, lane), expected)
              << unit.name << " mode " << static_cast<int>(mode) << " lane " << lane;
          ASSERT_EQ(has(harness.predicate(1), lane), from.inside);
        }
      }
    }
  }
}

TEST(WarpWide, ShuffleMayHavePredicateDestinationOnly) {
  for (const VectorUnit& unit : vector_units()) {
    LaneHarness harness;
    Instruction shfl = instruction_of(Operation::shfl, ValueType::b32);
    shfl.shuffle = Shuffle::down;
    shfl.sources = {Operand::immediate(3), Operand::immediate(4), Operand::immediate(31),
                    Operand::immediate(kAll)};
    shfl.destinations = {Operand::none(), Operand::predicate(0)};
    ASSERT_TRUE(harness.execute(shfl, unit));
    EXPECT_EQ(harness.predicate(0), 0x0fffffffU);
  }
}

TEST(WarpWide, VoteCountsExecutingMembers) {
  std::mt19937_64 random(2);
  for (const VectorUnit& unit : vector_units()) {
    for (const Vote kind : {Vote::all, Vote::any, Vote::uniform, Vote::ballot}) {
      for (const std::uint32_t active : interesting_masks()) {
        for (const auto& members : member_masks()) {
          for (const bool synchronous : {true, false}) {
            for (const std::uint32_t votes : {std::uint32_t{0}, kAll, active, ~active,
                                              static_cast<std::uint32_t>(random()), 0x0000ffffU}) {
              for (const bool negated : {false, true}) {
                LaneHarness harness;
                harness.set_predicate(2, negated ? ~votes : votes);
                harness.context.active = active;
                for (int lane = 0; lane < 32; ++lane) harness.set(4, lane, members(lane, active));
                Instruction vote = instruction_of(Operation::vote, ValueType::b32);
                vote.vote = kind;
                vote.synchronous = synchronous;
                vote.sources = {Operand::predicate(2, negated)};
                if (synchronous) vote.sources.push_back(Operand::reg(4));
                vote.destinations = {kind == Vote::ballot ? Operand::reg(8)
                                                          : Operand::predicate(0)};
                ASSERT_TRUE(harness.execute(vote, unit));
                for (int lane = 0; lane < 32; ++lane) {
                  std::uint32_t ballot = 0;
                  int in_favour = 0;
                  int voters = 0;
                  for (int other = 0; other < 32; ++other) {
                    if (!has(active, other)) continue;
                    if (synchronous && !has(members(lane, active), other)) continue;
                    ++voters;
                    if (has(votes, other)) {
                      ++in_favour;
                      ballot += 1U << other;
                    }
                  }
                  const bool is_active = has(active, lane);
                  if (kind == Vote::ballot) {
                    ASSERT_EQ(harness.word(8, lane), is_active ? ballot : kUntouched);
                  } else {
                    const bool result = kind == Vote::all   ? in_favour == voters
                                        : kind == Vote::any ? in_favour > 0
                                                            : in_favour == 0 || in_favour == voters;
                    ASSERT_EQ(has(harness.predicate(0), lane), is_active && result);
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}

TEST(WarpWide, VoteAcceptsConstant) {
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint64_t constant : {0, 1}) {
      LaneHarness harness;
      Instruction vote = instruction_of(Operation::vote, ValueType::b32);
      vote.vote = Vote::ballot;
      vote.sources = {Operand::immediate(constant), Operand::immediate(0x00ffffff)};
      vote.destinations = {Operand::reg(8)};
      harness.context.active = 0xfffffff0;
      ASSERT_TRUE(harness.execute(vote, unit));
      EXPECT_EQ(harness.word(8, 9), constant == 1 ? 0x00fffff0U : 0U);
      EXPECT_EQ(harness.word(8, 0), kUntouched);
    }
  }
}

TEST(WarpWide, MatchFindsEqualValues) {
  std::mt19937_64 random(3);
  for (const VectorUnit& unit : vector_units()) {
    for (const ValueType type : {ValueType::b32, ValueType::b64}) {
      for (const std::uint32_t active : interesting_masks()) {
        for (const auto& members : member_masks()) {
          for (const std::uint64_t range : {1, 3, 1000}) {
            for (const bool all : {false, true}) {
              LaneHarness harness;
              std::array<std::uint64_t, 32> values{};
              for (int lane = 0; lane < 32; ++lane) {
                // 64-bit values often differ in only one of their words.
                const std::uint64_t value = random() % range;
                values[static_cast<std::size_t>(lane)] =
                    type == ValueType::b64 ? (value & 1) << 40 | value >> 1 : value;
                harness.set(0, lane, values[static_cast<std::size_t>(lane)]);
                harness.set(4, lane, members(lane, active));
              }
              Instruction match = instruction_of(Operation::match, type);
              match.match_all = all;
              match.sources = {Operand::reg(0, bits_of(type) / 32), Operand::reg(4)};
              match.destinations = {Operand::reg(8)};
              if (all) match.destinations.push_back(Operand::predicate(0));
              harness.context.active = active;
              ASSERT_TRUE(harness.execute(match, unit));
              for (int lane = 0; lane < 32; ++lane) {
                std::uint32_t same = 0;
                std::uint32_t all_members = 0;
                for (int other = 0; other < 32; ++other) {
                  if (!has(active & members(lane, active), other)) continue;
                  all_members |= 1U << other;
                  if (values[static_cast<std::size_t>(other)] ==
                      values[static_cast<std::size_t>(lane)])
                    same |= 1U << other;
                }
                if (!has(active, lane)) {
                  ASSERT_EQ(harness.word(8, lane), kUntouched);
                } else if (all) {
                  ASSERT_EQ(harness.word(8, lane), same == all_members ? all_members : 0);
                  ASSERT_EQ(has(harness.predicate(0), lane), same == all_members);
                } else {
                  ASSERT_EQ(harness.word(8, lane), same);
                }
              }
            }
          }
        }
      }
    }
  }
}

TEST(WarpWide, ActivemaskReturnsActiveLanes) {
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint32_t active : interesting_masks()) {
      LaneHarness harness;
      Instruction activemask = instruction_of(Operation::activemask, ValueType::b32);
      activemask.destinations = {Operand::reg(8)};
      harness.context.active = active;
      ASSERT_TRUE(harness.execute(activemask, unit));
      for (int lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(harness.word(8, lane), has(active, lane) ? active : kUntouched);
      }
    }
  }
}

TEST(WarpWide, ReduxCombinesMemberValues) {
  std::mt19937_64 random(4);
  const auto combine = [](Reduction reduction, Int a, Int b) -> Int {
    switch (reduction) {
      case Reduction::and_:
        return a & b;
      case Reduction::or_:
        return a | b;
      case Reduction::xor_:
        return a ^ b;
      case Reduction::add:
        return a + b;
      case Reduction::min:
        return std::min(a, b);
      default:
        return std::max(a, b);
    }
  };
  for (const VectorUnit& unit : vector_units()) {
    for (const ValueType type : {ValueType::u32, ValueType::s32, ValueType::b32}) {
      for (const Reduction reduction : {Reduction::and_, Reduction::or_, Reduction::xor_,
                                        Reduction::add, Reduction::min, Reduction::max}) {
        for (const std::uint32_t active : interesting_masks()) {
          for (const auto& members : member_masks()) {
            LaneHarness harness = random_warp(random);
            for (int lane = 0; lane < 32; ++lane) harness.set(4, lane, members(lane, active));
            Instruction redux = instruction_of(Operation::redux, type);
            redux.reduction = reduction;
            redux.sources = {Operand::reg(0), Operand::reg(4)};
            redux.destinations = {Operand::reg(8)};
            harness.context.active = active;
            ASSERT_TRUE(harness.execute(redux, unit));
            for (int lane = 0; lane < 32; ++lane) {
              if (!has(active, lane)) {
                ASSERT_EQ(harness.word(8, lane), kUntouched);
                continue;
              }
              bool first = true;
              Int result = 0;
              for (int other = 0; other < 32; ++other) {
                if (!has(active & members(lane, active), other)) continue;
                const Int value = number(harness.word(0, other), type);
                result = first ? value : combine(reduction, result, value);
                first = false;
              }
              ASSERT_EQ(harness.word(8, lane), static_cast<std::uint32_t>(result));
            }
          }
        }
      }
    }
  }
  Instruction exchange = instruction_of(Operation::redux, ValueType::u32);
  exchange.reduction = Reduction::exchange;
  EXPECT_TRUE(is_refused({exchange, {32, 32}}));
}

TEST(WarpWide, ElectChoosesOneLaneOfEachGroup) {
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint32_t active : interesting_masks()) {
      for (const auto& members : member_masks()) {
        for (const bool lane_wanted : {true, false}) {
          LaneHarness harness;
          for (int lane = 0; lane < 32; ++lane) harness.set(4, lane, members(lane, active));
          Instruction elect = instruction_of(Operation::elect, ValueType::b32);
          elect.sources = {Operand::reg(4)};
          elect.destinations = {lane_wanted ? Operand::reg(8) : Operand::none(),
                                Operand::predicate(0)};
          harness.context.active = active;
          ASSERT_TRUE(harness.execute(elect, unit));
          for (int lane = 0; lane < 32; ++lane) {
            int leader = 0;
            while (leader < 31 && !has(active & members(lane, active), leader)) ++leader;
            const bool is_active = has(active, lane);
            ASSERT_EQ(harness.word(8, lane),
                      is_active && lane_wanted ? static_cast<std::uint32_t>(leader) : kUntouched);
            ASSERT_EQ(has(harness.predicate(0), lane), is_active && leader == lane);
          }
        }
      }
    }
  }
}

TEST(WarpWide, RejectsFormsThatDoNotExist) {
  EXPECT_TRUE(is_refused({instruction_of(Operation::shfl, ValueType::b64), {64, 32, 32, 32}, 64}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::redux, ValueType::f32), {32, 32}}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::match, ValueType::b16), {16, 32}}));
  EXPECT_TRUE(is_refused({instruction_of(Operation::vote, ValueType::b32), {32, 32}}));
}

}  // namespace
}  // namespace heddle::exec::test
