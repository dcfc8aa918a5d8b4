// The rules of the scoreboard that all warps share. Its entries hold results that have not been
// committed, and the instructions of a warp commit in program order.

#include <gtest/gtest.h>

#include <string>

#include "configure.h"
#include "sm/dependence/issued_program.h"

namespace heddle::sm::test {
namespace {

constexpr LaneMask kAllLanes = LaneMask::all();
constexpr LaneMask kLowLanes = LaneMask::first_lanes(16);

class Board : public IssuedProgram {
 public:
  explicit Board(std::vector<code::Instruction> instructions, std::uint32_t entries = 8,
                 std::uint32_t entry_words = 1, const Bypass& bypass = {})
      : Board(std::move(instructions),
              {"entries=" + std::to_string(entries), "entry_words=" + std::to_string(entry_words)},
              bypass) {}
  Board(std::vector<code::Instruction> instructions, const std::vector<std::string>& settings,
        const Bypass& bypass = {})
      : IssuedProgram(make_dependence(described(settings), bypass), std::move(instructions)) {}

 private:
  static DependenceDescription described(const std::vector<std::string>& settings) {
    auto description = configure<DependenceDescription>({"policy=commit-scoreboard"});
    config::Declarations parameters;
    description.declare(parameters);
    for (const std::string& setting : settings) config::set_parameter(parameters, setting);
    return description;
  }
};

// -- stall on use ---------------------------------------------------------------------------------

TEST(CommitScoreboard, StallsAtUseOfMissedLoad) {
  Board board({load(1, 4), add(2, 3), add(5, 1)});
  board.issue_miss(0, 10, 7);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(11));
  board.issue(1, 11, 21);
  EXPECT_EQ(board.ready(2, 12).at, Cycle::never());
  EXPECT_EQ(board.ready(2, 12).reason, WaitReason::long_latency_result);
  board.complete(0, 7, 300);
  EXPECT_EQ(board.ready(2, 299).at, Cycle(300));
}

TEST(CommitScoreboard, ReadsUncommittedResultFromEntry) {
  Board board({load(1, 4), add(2, 3), add(5, 2)});
  board.issue_miss(0, 10, 7);
  board.issue(1, 11, 21);
  EXPECT_EQ(board.first_issue_cycle(2, 12), Cycle(21))
      << "neither the load nor the addition has committed";
  board.issue(2, 21, 31);
  EXPECT_EQ(board.counter("reads"), 1U);
}

TEST(CommitScoreboard, ReadsCommittedResultFromRegisterFile) {
  const Bypass bypass(UnitsDescription{.bypass = true, .register_cycles = 2});
  for (const std::uint64_t reader : {19, 20}) {
    Board board({add(2, 3), add(5, 2)}, 8, 1, bypass);
    board.issue(0, 10, 20);
    EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(18));
    board.issue(1, reader, 40);
    EXPECT_EQ(board.counter("reads"), reader < 20 ? 1U : 0U) << "written back in cycle 20";
  }
}

TEST(CommitScoreboard, PredicateHasEntry) {
  Board board({compare(1, 3), guarded(add(2, 3), 1), guarded(add(2, 3), 0)});
  board.issue(0, 10, 20);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(20));
  EXPECT_EQ(board.first_issue_cycle(2, 11), Cycle(11));
  EXPECT_EQ(board.counter("entries_written"), 1U);
}

const std::vector<std::string> kRegistersOnly{"entries=2", "predicates_have_entries=no"};

TEST(CommitScoreboard, PredicateWithoutEntryIsReadWhenComputed) {
  const Bypass bypass(UnitsDescription{.bypass = true, .register_cycles = 2});
  for (const bool bypasses : {false, true}) {
    Board board({load(1, 4), compare(1, 3), guarded(add(2, 3), 1), guarded(store(6, 0), 1),
                 guarded(add(2, 3), 0), compare(1, 3)},
                kRegistersOnly, bypasses ? bypass : Bypass());
    board.issue(1, 10, 20);
    const Cycle used(bypasses ? 18 : 20);
    EXPECT_EQ(board.first_issue_cycle(2, 11), used);
    EXPECT_EQ(board.first_issue_cycle(3, 11), Cycle(20)) << "stores read the register file";
    EXPECT_EQ(board.first_issue_cycle(4, 11), Cycle(11)) << "this guard is another predicate";
    EXPECT_EQ(board.first_issue_cycle(5, 11), used) << "results stay in program order";
    EXPECT_EQ(board.counter("entries_written"), 0U);
  }
}

TEST(CommitScoreboard, PredicateWithoutEntryNeedsNoSpaceAndHoldsNothingUp) {
  Board board({load(1, 4), add(2, 3), compare(1, 3), add(5, 3), store(6, 0)}, kRegistersOnly);
  board.issue_miss(0, 10, 7);
  board.issue(1, 11, 21);
  EXPECT_TRUE(board.is_stuck(3, 12)) << "both entries are taken";
  EXPECT_FALSE(board.is_stuck(2, 12));
  board.issue(2, 12, 90);
  board.complete(0, 7, 30);
  EXPECT_EQ(board.first_issue_cycle(4, 13), Cycle(31))
      << "a store waits for the load and the addition only";
}

TEST(CommitScoreboard, PredicateOfMemoryIsKnownWhenItArrives) {
  code::Instruction texture = load(1, 4);
  texture.operation = code::Operation::texture;
  texture.destinations.push_back(code::Operand::predicate(1));
  Board board({texture, guarded(add(2, 3), 1)}, kRegistersOnly);
  board.issue_miss(0, 10, 7);
  EXPECT_EQ(board.ready(1, 11).at, Cycle::never());
  board.complete(0, 7, 300);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(300));
}

TEST(CommitScoreboard, PredicatesOfEndedWarpDoNotAffectNextWarp) {
  Board board({compare(1, 3), guarded(add(2, 3), 1)}, kRegistersOnly);
  board.issue(0, 10, 200);
  board.dependence().start(0, board.table());
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(11));
}

TEST(CommitScoreboard, AccessIdentifiesCompletion) {
  // The same load twice, as in a loop. The second one completes first.
  Board board({load(1, 4), add(2, 1)});
  board.issue_miss(0, 10, 7);
  board.issue_miss(0, 11, 8);
  board.complete(0, 8, 50);
  EXPECT_EQ(board.first_issue_cycle(1, 12), Cycle(50));
  board.complete(0, 7, 90);
  EXPECT_EQ(board.first_issue_cycle(1, 60), Cycle(60));
}

// -- commit in order ------------------------------------------------------------------------------

TEST(CommitScoreboard, CommitsOneInstructionPerCycleAfterMiss) {
  Board board({load(1, 4), add(2, 3), compare(1, 3), store(6, 0)});
  board.issue_miss(0, 10, 7);
  board.issue(1, 11, 21);
  board.issue(2, 12, 22);
  EXPECT_EQ(board.ready(3, 13).at, Cycle::never()) << "the load's commit cycle is unknown";
  board.complete(0, 7, 50);
  // The three instructions commit in cycles 50, 51 and 52. Then nothing is in flight.
  EXPECT_EQ(board.first_issue_cycle(3, 50), Cycle(52));
}

TEST(CommitScoreboard, CommitsAtWriteBackIfEarlierOnesHaveCommitted) {
  Board board({add(1, 3), add(2, 3), store(6, 0)});
  board.issue(0, 10, 20);
  board.issue(1, 18, 28);
  EXPECT_EQ(board.first_issue_cycle(2, 19), Cycle(28));
}

TEST(CommitScoreboard, CommitsAllResultsOfInstructionTogether) {
  Board board({load(8, 4, 4), store(6, 0)});
  board.issue(0, 10, 40);
  EXPECT_EQ(board.counter("entries_written"), 4U);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(40));
  board.issue(1, 40, 50);
  EXPECT_EQ(board.counter("commits"), 2U);
}

// -- writes after writes --------------------------------------------------------------------------

TEST(CommitScoreboard, LaterResultOfSameLanesReplacesEntry) {
  Board board({load(1, 4), add(1, 3), add(2, 1)});
  board.issue_miss(0, 10, 7);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(11));
  board.issue(1, 11, 21);
  EXPECT_EQ(board.first_issue_cycle(2, 12), Cycle(21))
      << "the register no longer waits for the load";
  EXPECT_EQ(board.counter("lane_mask_waits"), 0U);
}

TEST(CommitScoreboard, LaterResultOfMoreLanesReplacesEntry) {
  Board board({load(1, 4), add(1, 3)});
  board.issue_miss(0, 10, 7, kLowLanes);
  EXPECT_EQ(board.first_issue_cycle(1, 11, kAllLanes), Cycle(11));
}

TEST(CommitScoreboard, LaterResultOfFewerOrOtherLanesWaitsForCommit) {
  for (const LaneMask lanes : {kLowLanes, ~kLowLanes}) {
    Board board({load(6, 4), load(1, 4), guarded(add(1, 3), 0)});
    board.issue_miss(0, 10, 7);
    board.issue_miss(1, 11, 8, lanes == kLowLanes ? kAllLanes : kLowLanes);
    board.complete(1, 8, 30);
    EXPECT_EQ(board.ready(2, 12, lanes).at, Cycle::never()) << "the other load has not committed";
    board.complete(0, 7, 60);
    // The loads commit in cycles 60 and 61.
    EXPECT_EQ(board.first_issue_cycle(2, 60, lanes), Cycle(61));
    board.issue(2, 61, 71, lanes);
    EXPECT_EQ(board.counter("lane_mask_waits"), 1U);
  }
}

TEST(CommitScoreboard, AbandonedInstructionCountsNoMaskWait) {
  Board board({load(1, 4), guarded(add(1, 3), 0), add(2, 3)});
  board.issue_miss(0, 10, 7);
  EXPECT_EQ(board.ready(1, 12, kLowLanes).at, Cycle::never());
  EXPECT_EQ(board.first_issue_cycle(2, 13), Cycle(13));
  board.issue(2, 13, 23);
  EXPECT_EQ(board.counter("lane_mask_waits"), 0U);
}

TEST(CommitScoreboard, WaitsForGuardBeforeComparingLanes) {
  Board board({load(1, 4), compare(0, 3), guarded(add(1, 3), 0)});
  board.issue_miss(0, 10, 7);
  board.issue(1, 11, 21);
  EXPECT_EQ(board.first_issue_cycle(2, 12, kAllLanes), Cycle(21));
}

TEST(CommitScoreboard, DoesNotReplaceEntryOfPendingAtomic) {
  Board board({atomic(1, 4, 3), add(1, 3), add(2, 3)});
  board.issue_miss(0, 10, 7);
  EXPECT_EQ(board.ready(1, 11).at, Cycle::never());
  EXPECT_EQ(board.first_issue_cycle(2, 11), Cycle(11));
}

// -- memory ---------------------------------------------------------------------------------------

TEST(CommitScoreboard, OnlyLoadsWaitForStoreToCommit) {
  Board board({store(6, 0), load(1, 4), add(2, 3)});
  board.issue(0, 10, 20);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(20));
  EXPECT_EQ(board.first_issue_cycle(2, 11), Cycle(11));
}

TEST(CommitScoreboard, LoadOfAnySpaceWaitsForStoreToAnySpace) {
  for (const code::Space space : {code::Space::global, code::Space::shared, code::Space::local}) {
    for (const code::Space other :
         {code::Space::global, code::Space::shared, code::Space::constant}) {
      code::Instruction first = store(6, 0);
      first.space = space;
      code::Instruction second = load(1, 4);
      second.space = other;
      Board board({first, second});
      board.issue(0, 10, 20);
      EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(20));
    }
  }
  code::Instruction texture = load(1, 4);
  texture.operation = code::Operation::texture;
  Board board({store(6, 0), texture});
  board.issue(0, 10, 20);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(20));
}

TEST(CommitScoreboard, InstructionAfterStoreCommitsAfterIt) {
  Board board({store(6, 0), add(2, 3), store(6, 2)});
  board.issue(0, 10, 20);
  board.issue(1, 11, 16);
  // The addition commits in cycle 21, after the store in cycle 20.
  EXPECT_EQ(board.first_issue_cycle(2, 12), Cycle(21));
}

TEST(CommitScoreboard, StoreWaitsForEarlierStore) {
  Board board({store(6, 0)});
  board.issue(0, 10, 20);
  EXPECT_EQ(board.first_issue_cycle(0, 11), Cycle(20));
}

TEST(CommitScoreboard, AtomicIsStoreAndLoad) {
  Board board({load(8, 4), atomic(1, 4, 3), load(2, 4), add(9, 3), add(9, 1)});
  board.issue(0, 10, 30);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(30)) << "it must be the oldest";
  board.issue_miss(1, 30, 7);
  EXPECT_EQ(board.ready(2, 32).at, Cycle::never()) << "loads wait for it";
  EXPECT_EQ(board.first_issue_cycle(3, 32), Cycle(32)) << "other instructions do not";
  EXPECT_EQ(board.ready(4, 32).at, Cycle::never()) << "unless they read its result";
  board.complete(1, 7, 90);
  EXPECT_EQ(board.first_issue_cycle(4, 40), Cycle(90));
  EXPECT_EQ(board.first_issue_cycle(2, 40), Cycle(90));
}

TEST(CommitScoreboard, PendingReductionHoldsLoadsAndCommits) {
  Board board({reduction(4, 3), load(1, 4), add(2, 3), store(6, 0)});
  board.issue_miss(0, 10, 7);
  EXPECT_EQ(board.ready(1, 11).at, Cycle::never());
  board.issue(2, 11, 21);
  EXPECT_EQ(board.ready(3, 12).at, Cycle::never());
  board.complete(0, 7, 90);
  EXPECT_EQ(board.first_issue_cycle(1, 40), Cycle(90));
  EXPECT_EQ(board.first_issue_cycle(3, 40), Cycle(91)) << "the addition commits one cycle later";
}

TEST(CommitScoreboard, BarrierAndFenceWaitUntilNothingIsInFlight) {
  for (const code::Operation operation :
       {code::Operation::barrier, code::Operation::fence, code::Operation::warp_sync}) {
    Board board({load(1, 4), add(2, 3), plain(operation)});
    board.issue(0, 10, 40);
    board.issue(1, 11, 21);
    EXPECT_EQ(board.first_issue_cycle(2, 12), Cycle(41))
        << "the addition commits one cycle after the load";
  }
}

TEST(CommitScoreboard, BarrierThatNeedNotCommitWaitsForItsGuardOnly) {
  Board board({load(1, 4), compare(0, 3), guarded(plain(code::Operation::barrier), 0),
               plain(code::Operation::barrier), plain(code::Operation::fence)},
              {"barriers_commit=no"});
  board.issue_miss(0, 10, 7);
  board.issue(1, 11, 21);
  EXPECT_EQ(board.first_issue_cycle(2, 12), Cycle(21));
  EXPECT_EQ(board.first_issue_cycle(3, 12), Cycle(12));
  EXPECT_EQ(board.ready(4, 12).at, Cycle::never()) << "a fence waits for the load";
}

TEST(CommitScoreboard, BranchWaitsForItsGuardOnly) {
  Board board({load(1, 4), compare(0, 3), guarded(plain(code::Operation::branch), 0)});
  board.issue_miss(0, 10, 7);
  board.issue(1, 11, 21);
  EXPECT_EQ(board.first_issue_cycle(2, 12), Cycle(21));
  board.issue(2, 21, 31);
  EXPECT_EQ(board.counter("entries_written"), 2U) << "the branch has no entry";
}

// -- free entries ---------------------------------------------------------------------------------

TEST(CommitScoreboard, WarpWithEntriesWaitsForFreeEntry) {
  Board board({add(1, 3), add(2, 3), add(5, 3), store(6, 0)}, 2);
  board.issue(0, 10, 20, kAllLanes, 0);
  EXPECT_FALSE(board.is_stuck(1, 11, 0));
  board.issue(0, 11, 25, kAllLanes, 1);
  EXPECT_FALSE(board.is_stuck(3, 12, 0)) << "a store needs no entry";
  EXPECT_EQ(board.shared_entries().next_space(set_of(0), Cycle(12)), Cycle(20));
  EXPECT_TRUE(board.is_stuck(1, 19, 0));
  EXPECT_FALSE(board.is_stuck(1, 20, 0)) << "the older instruction committed when it wrote back";
}

TEST(CommitScoreboard, EntryOfEndedWarpIsReusedAtOnce) {
  Board board({add(1, 3), add(2, 3)}, 2);
  board.issue(0, 10, 30, kAllLanes, 0);
  board.issue(0, 11, 300, kAllLanes, 1);
  EXPECT_TRUE(board.is_stuck(1, 12, 1));
  board.dependence().start(0, board.table());
  EXPECT_FALSE(board.is_stuck(1, 12, 1));
  board.issue(0, 12, 200, kAllLanes, 2);
  EXPECT_TRUE(board.is_stuck(1, 31, 1)) << "the ended warp's instruction would have committed";
  EXPECT_TRUE(board.is_stuck(1, 199, 1));
  EXPECT_FALSE(board.is_stuck(1, 200, 1));
}

TEST(CommitScoreboard, EntriesAreFreedInOrderOfCommit) {
  Board board({add(1, 3), add(2, 3)}, 4);
  board.issue(0, 10, 300, kAllLanes, 0);
  board.issue(0, 11, 40, kAllLanes, 1);
  board.issue(0, 12, 120, kAllLanes, 2);
  board.issue(0, 13, 30, kAllLanes, 3);
  for (const std::uint64_t free : {30, 40, 120, 300}) {
    EXPECT_TRUE(board.is_stuck(1, free - 1, 0)) << free;
    EXPECT_EQ(board.shared_entries().next_space(set_of(0), Cycle(free - 1)), Cycle(free));
    EXPECT_FALSE(board.is_stuck(1, free, 0)) << free;
    if (free < 300) board.issue(0, free, 500, kAllLanes, 4);
  }
}

TEST(CommitScoreboard, EndedWarpsNeedsDoNotAffectNextWarp) {
  Board board({add(1, 3), reduction(4, 3), plain(code::Operation::branch)}, 2);
  board.issue(0, 10, 200, kAllLanes, 0);
  board.issue(0, 11, 201, kAllLanes, 1);
  board.ready(0, 12, kAllLanes, 2);
  board.dependence().start(2, board.table());
  board.issue_miss(1, 12, 7, kAllLanes, 2);
  EXPECT_FALSE(board.is_stuck(2, 13, 2)) << "a branch needs no entry";
}

TEST(CommitScoreboard, IdleWarpIssuesOneInstructionWithoutEntry) {
  Board board({add(1, 3), add(2, 3), add(5, 3)}, 2);
  board.issue(0, 10, 200, kAllLanes, 0);
  board.issue(1, 11, 201, kAllLanes, 0);
  EXPECT_FALSE(board.is_stuck(0, 12, 1));
  board.issue(0, 12, 22, kAllLanes, 1);
  EXPECT_EQ(board.counter("issued_without_entry"), 1U);
  EXPECT_EQ(board.counter("entries_written"), 2U);
  EXPECT_EQ(board.first_issue_cycle(1, 13, kAllLanes, 1), Cycle(22))
      << "even independent instructions wait";
  EXPECT_FALSE(board.is_stuck(1, 22, 1)) << "the warp has nothing in flight";
}

TEST(CommitScoreboard, LoadWithoutEntryStallsItsWarp) {
  Board board({load(1, 4), add(2, 3)}, 2);
  board.issue(0, 10, 200, kAllLanes, 0);
  board.issue(1, 11, 201, kAllLanes, 0);
  board.issue_miss(0, 12, 9, kAllLanes, 1);
  EXPECT_EQ(board.ready(1, 13, kAllLanes, 1).at, Cycle::never());
  board.complete(0, 9, 150, 1);
  EXPECT_EQ(board.first_issue_cycle(1, 14, kAllLanes, 1), Cycle(150));
}

TEST(CommitScoreboard, WarpWithStoreInFlightNeedsEntry) {
  Board board({add(1, 3), add(2, 3), store(6, 0)}, 2);
  board.issue(0, 10, 200, kAllLanes, 0);
  board.issue(1, 11, 201, kAllLanes, 0);
  board.issue(2, 12, 22, kAllLanes, 1);
  EXPECT_TRUE(board.is_stuck(0, 21, 1));
  EXPECT_EQ(board.shared_entries().next_space(set_of(1), Cycle(13)), Cycle(22));
  EXPECT_FALSE(board.is_stuck(0, 22, 1));
}

TEST(CommitScoreboard, InstructionThatNeedsTooManyEntriesIssuesWithoutEntry) {
  Board board({add(1, 3), load(8, 4, 4), add(2, 9)}, 2);
  board.issue(0, 10, 20);
  EXPECT_TRUE(board.is_stuck(1, 19));
  EXPECT_FALSE(board.is_stuck(1, 20));
  board.issue(1, 20, 40);
  EXPECT_EQ(board.first_issue_cycle(2, 21), Cycle(40));
}

TEST(CommitScoreboard, OnlyCompletionMakesRoomIfNothingCommits) {
  Board board({load(1, 4), add(2, 3), add(5, 3)}, 2);
  board.issue_miss(0, 10, 7);
  board.issue(1, 11, 21);
  EXPECT_TRUE(board.is_stuck(2, 1000));
  EXPECT_EQ(board.shared_entries().next_space(set_of(0), Cycle(1000)), Cycle::never());
  board.complete(0, 7, 1010);
  EXPECT_EQ(board.shared_entries().next_space(set_of(0), Cycle(1000)), Cycle(1010));
}

TEST(CommitScoreboard, EntryOfTwoWordsHoldsRegisterPair) {
  Board board({load(8, 4, 4), add(8, 3), add(2, 9)}, 8, 2);
  board.issue_miss(0, 10, 7);
  EXPECT_EQ(board.counter("entries_written"), 2U);
  EXPECT_EQ(board.ready(2, 11).at, Cycle::never());
  EXPECT_EQ(board.ready(1, 11).at, Cycle::never()) << "half a pair cannot be replaced";
  board.complete(0, 7, 50);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(50));
}

TEST(CommitScoreboard, NextWarpOfSlotStartsAfreshWithFreeEntries) {
  Board board({load(1, 4), add(2, 1), add(3, 2)}, 2);
  board.issue_miss(0, 10, 7);
  board.issue(2, 11, 300);
  EXPECT_TRUE(board.is_stuck(2, 12));
  board.dependence().start(0, board.table());
  EXPECT_EQ(board.first_issue_cycle(1, 12), Cycle(12));
  EXPECT_FALSE(board.is_stuck(2, 12, 0));
}

// -- with a bypass --------------------------------------------------------------------------------

TEST(CommitScoreboard, BypassServesArithmeticOnly) {
  const Bypass bypass(UnitsDescription{.bypass = true, .register_cycles = 2});
  Board board({add(2, 3), add(5, 2), load(8, 2)}, 8, 1, bypass);
  board.issue(0, 10, 20);
  EXPECT_EQ(board.first_issue_cycle(1, 11), Cycle(18));
  EXPECT_EQ(board.first_issue_cycle(2, 11), Cycle(20));
}

// -- checks ---------------------------------------------------------------------------------------

TEST(CommitScoreboard, NeedsStaticWarps) {
  const DependenceDescription description{.policy = "commit-scoreboard"};
  EXPECT_NO_THROW(description.check({.keeps_static_warps = true}));
  EXPECT_THROW(description.check({.keeps_static_warps = false}), InputError);
}

}  // namespace
}  // namespace heddle::sm::test
