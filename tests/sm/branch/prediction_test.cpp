// Branch prediction: which branches are predicted, when the next instruction is fetched after right
// and wrong predictions, and what is counted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/set_parameter.h"
#include "sm/branch/branch_unit.h"
#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

using testing::HasSubstr;

struct Unit {
  explicit Unit(const std::string& policy, const std::vector<std::string>& settings = {}) {
    BranchDescription description{.policy = policy, .resolve_cycles = 7, .jump_cycles = 2};
    config::Declarations parameters;
    description.declare(parameters);
    for (const std::string& setting : settings) config::set_parameter(parameters, setting);
    unit = make_branch_unit(description);
  }
  std::uint64_t counter(std::string_view name) {
    CounterList counters;
    unit->declare(counters);
    for (const auto& counter : counters.all()) {
      if (counter.name == name) return *counter.value;
    }
    throw std::out_of_range(std::string(name));
  }
  NextFetch operator()(const IssueInfo& branch, const BranchOutcome& outcome, Cycle now,
                       WarpSlot warp = 0) const {
    return unit->next_fetch(warp, branch, outcome, now);
  }

  std::unique_ptr<BranchUnit> unit;
};

IssueInfo branch(bool back) {
  IssueInfo info;
  info.kind = InstructionKind::branch;
  info.is_conditional = true;
  info.jumps_back = back;
  return info;
}
const IssueInfo kBackward = branch(true);
const IssueInfo kForward = branch(false);
constexpr BranchOutcome kTaken{.pc = 8, .next = 3, .taken = true};
constexpr BranchOutcome kNotTaken{.pc = 8, .next = 9};
constexpr BranchOutcome kDiverged{.pc = 8, .next = 3, .taken = true, .diverged = true};

TEST(StaticPrediction, FetchesTargetWithBranchWithoutGap) {
  const Unit unit("static", {"fetches_targets=yes"});
  for (const BranchOutcome& outcome : {kTaken, kDiverged}) {
    const NextFetch target = unit(kBackward, outcome, Cycle(100));
    EXPECT_EQ(target.from, Cycle(101));
    EXPECT_TRUE(target.with_branch);
  }
  EXPECT_FALSE(unit(kForward, kNotTaken, Cycle(100)).with_branch)
      << "the next instruction is in the buffer";
  const NextFetch wrong = unit(kBackward, kNotTaken, Cycle(200));
  EXPECT_EQ(wrong.from, Cycle(207)) << "the target is known when the branch is resolved";
  EXPECT_FALSE(wrong.with_branch);
  EXPECT_EQ(wrong.wrong_from, Cycle(201));
}

TEST(StaticPrediction, PredictsBackwardTakenAndForwardNotTaken) {
  const Unit unit("static");
  EXPECT_EQ(unit(kBackward, kTaken, Cycle(100)).from, Cycle(102));
  EXPECT_EQ(unit(kForward, kNotTaken, Cycle(100)).from, Cycle(101));
  EXPECT_FALSE(unit(kBackward, kTaken, Cycle(100)).mispredicted);
}

TEST(StaticPrediction, WaitsForResolutionAfterMisprediction) {
  const Unit unit("static");
  const NextFetch backward = unit(kBackward, kNotTaken, Cycle(100));
  EXPECT_EQ(backward.from, Cycle(107));
  EXPECT_TRUE(backward.mispredicted);
  EXPECT_EQ(backward.wrong_from, Cycle(102)) << "the target, as after a jump";
  const NextFetch forward = unit(kForward, kTaken, Cycle(100));
  EXPECT_EQ(forward.from, Cycle(107));
  EXPECT_EQ(forward.wrong_from, Cycle(101)) << "the fall-through path";
}

TEST(StaticPrediction, DelaysOnlyMispredictedBranchesByLateOperands) {
  const Unit unit("static");
  EXPECT_EQ(unit(kBackward, {.pc = 8, .next = 9, .delay = Cycles(3)}, Cycle(100)).from, Cycle(110));
  EXPECT_EQ(
      unit(kBackward, {.pc = 8, .next = 3, .taken = true, .delay = Cycles(3)}, Cycle(100)).from,
      Cycle(102));
}

TEST(StaticPrediction, NeverMispredictsDivergentBranch) {
  Unit unit("static");
  for (const IssueInfo& diverging : {kBackward, kForward}) {
    EXPECT_EQ(unit(diverging, kDiverged, Cycle(100)).from, Cycle(102));
    EXPECT_FALSE(unit(diverging, kDiverged, Cycle(100)).mispredicted);
  }
  EXPECT_EQ(unit.counter("diverged"), 4u);
  EXPECT_EQ(unit.counter("backward_correct") + unit.counter("forward_correct"), 0u)
      << "divergent branches are not counted as predicted";
}

TEST(StaticPrediction, WaitsForResolutionOfReturn) {
  Unit unit("static");
  IssueInfo back;
  back.kind = InstructionKind::branch;
  EXPECT_EQ(unit(back, kTaken, Cycle(100)).from, Cycle(107));
  EXPECT_FALSE(unit(back, kTaken, Cycle(100)).mispredicted);
  EXPECT_EQ(unit.counter("unpredicted"), 2u);
}

TEST(StaticPrediction, CountsOutcomesByDirection) {
  Unit unit("static");
  for (int i = 0; i < 5; ++i) unit(kBackward, kTaken, Cycle(0));
  for (int i = 0; i < 4; ++i) unit(kBackward, kNotTaken, Cycle(0));
  for (int i = 0; i < 3; ++i) unit(kForward, kNotTaken, Cycle(0));
  for (int i = 0; i < 2; ++i) unit(kForward, kTaken, Cycle(0));
  IssueInfo jump = kForward;
  jump.jumps_always = true;
  unit(jump, kTaken, Cycle(0));
  EXPECT_EQ(unit.counter("backward_correct"), 5u);
  EXPECT_EQ(unit.counter("backward_mispredicted"), 4u);
  EXPECT_EQ(unit.counter("forward_correct"), 3u);
  EXPECT_EQ(unit.counter("forward_mispredicted"), 2u);
  EXPECT_EQ(unit.counter("branches"), 14u);
  EXPECT_EQ(unit.counter("jumps"), 1u);
}

TEST(PerfectPrediction, NeverMispredicts) {
  const Unit unit("perfect");
  for (const IssueInfo& either : {kBackward, kForward}) {
    EXPECT_EQ(unit(either, kTaken, Cycle(100)).from, Cycle(102));
    EXPECT_EQ(unit(either, kNotTaken, Cycle(100)).from, Cycle(101));
  }
}

TEST(Gshare, PredictsTakenAfterOneTakenBranch) {
  const Unit unit("gshare", {"history_bits=0"});
  EXPECT_TRUE(unit(kBackward, kTaken, Cycle(0)).mispredicted);
  EXPECT_FALSE(unit(kBackward, kTaken, Cycle(10)).mispredicted);
  // After two taken branches, one branch that is not taken does not change the prediction.
  EXPECT_TRUE(unit(kBackward, kNotTaken, Cycle(20)).mispredicted);
  EXPECT_FALSE(unit(kBackward, kTaken, Cycle(30)).mispredicted);
}

TEST(Gshare, UpdatesCounterWhenBranchIsResolved) {
  for (const std::uint64_t later : {6, 7}) {
    const Unit unit("gshare", {"history_bits=0"});
    unit(kBackward, kTaken, Cycle(100), 0);
    EXPECT_EQ(unit(kBackward, kTaken, Cycle(100 + later), 1).mispredicted, later < 7);
  }
}

TEST(Gshare, SharesCountersBetweenWarps) {
  const Unit unit("gshare", {"history_bits=0"});
  unit(kBackward, kTaken, Cycle(0), 0);
  EXPECT_FALSE(unit(kBackward, kTaken, Cycle(10), 5).mispredicted);
}

TEST(Gshare, PredictsExitOfShortLoopByHistory) {
  const auto wrong = [](const std::string& bits) {
    Unit unit("gshare", {"history_bits=" + bits});
    for (int i = 0; i < 400; ++i) unit(kBackward, i % 4 == 3 ? kNotTaken : kTaken, Cycle(10 * i));
    return unit.counter("backward_mispredicted");
  };
  EXPECT_GE(wrong("0"), 100u) << "each exit is mispredicted";
  EXPECT_LE(wrong("4"), 10u) << "the history of three taken branches predicts the exit";
}

TEST(Gshare, StrengthensPredictionOnDivergentBranch) {
  const Unit unit("gshare", {"history_bits=0"});
  unit(kBackward, kTaken, Cycle(0));
  unit(kBackward, kDiverged, Cycle(10));  // The counter is now saturated.
  unit(kBackward, kNotTaken, Cycle(20));
  EXPECT_FALSE(unit(kBackward, kTaken, Cycle(30)).mispredicted);
}

TEST(Gshare, ForgetsOnInvalidate) {
  const Unit unit("gshare", {"history_bits=0"});
  unit(kBackward, kTaken, Cycle(0));
  unit.unit->invalidate();
  EXPECT_TRUE(unit(kBackward, kTaken, Cycle(10)).mispredicted);
}

/// A model of gshare that follows its definition. The table may have any size.
class Model {
 public:
  Model(std::uint32_t counters, std::uint32_t bits, bool per_warp)
      : counters_(counters), bits_(bits), per_warp_(per_warp) {}

  bool mispredicts(WarpSlot warp, const BranchOutcome& outcome, std::uint64_t now) {
    while (!pending_updates_.empty() && pending_updates_.front().first <= now) {
      pending_updates_.front().second();
      pending_updates_.pop_front();
    }
    std::deque<bool>& history = histories_[per_warp_ ? warp : 0];
    std::uint32_t number = 0;
    for (const bool bit : history) number = number * 2 + (bit ? 1 : 0);
    const std::uint32_t index = (number ^ outcome.pc) % counters_;
    const bool predicted = table_.try_emplace(index, 1).first->second >= 2;
    const bool recorded = outcome.diverged ? predicted : outcome.taken;
    history.push_back(recorded);
    if (history.size() > bits_) history.pop_front();
    pending_updates_.emplace_back(now + 7, [this, index, recorded] {
      int& value = table_[index];
      value = recorded ? std::min(value + 1, 3) : std::max(value - 1, 0);
    });
    return !outcome.diverged && predicted != outcome.taken;
  }

 private:
  std::uint32_t counters_;
  std::uint32_t bits_;
  bool per_warp_;
  std::map<std::uint32_t, int> table_;
  std::map<WarpSlot, std::deque<bool>> histories_;
  std::deque<std::pair<std::uint64_t, std::function<void()>>> pending_updates_;
};

TEST(Gshare, MatchesModelOnRandomBranches) {
  for (const bool per_warp : {false, true}) {
    for (const std::uint32_t bits : {0, 3, 5}) {
      const Unit unit("gshare",
                      {"counters=32", "history_bits=" + std::to_string(bits),
                       std::string("history_of=") + (per_warp ? "warp" : "multiprocessor")});
      Model model(32, bits, per_warp);
      std::mt19937 random(bits + (per_warp ? 10 : 0));
      std::uint64_t now = 0;
      int wrong = 0;
      for (int i = 0; i < 5000; ++i) {
        now += random() % 5;
        const WarpSlot warp = random() % 3;
        const std::uint32_t pc = random() % 50;
        BranchOutcome outcome{.pc = pc, .next = 0, .taken = random() % 8 != pc % 8};
        outcome.diverged = random() % 10 == 0;
        const bool expected = model.mispredicts(warp, outcome, now);
        ASSERT_EQ(unit(kBackward, outcome, Cycle(now), warp).mispredicted, expected)
            << "branch " << i;
        wrong += expected ? 1 : 0;
      }
      EXPECT_GT(wrong, 200);
      EXPECT_LT(wrong, 4000);
    }
  }
}

void check(const std::vector<std::string>& settings) {
  SmDescription sm;
  config::Declarations parameters;
  sm.declare(parameters);
  for (const std::string& setting : settings) config::set_parameter(parameters, setting);
  sm.check();
}

/// The error message of the branch description's own check; empty if it accepts the settings. Other
/// parts of the multiprocessor are not checked.
std::string branch_error(const std::vector<std::string>& settings) {
  SmDescription sm;
  config::Declarations parameters;
  sm.declare(parameters);
  for (const std::string& setting : settings) config::set_parameter(parameters, setting);
  try {
    sm.branch.check(sm);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BranchDescription, RejectsPredictionWithoutFetchAhead) {
  for (const std::string policy : {"static", "gshare", "perfect"}) {
    EXPECT_NO_THROW(check({"branch.policy=" + policy}));
    EXPECT_THROW(check({"branch.policy=" + policy, "dependence.policy=barrel"}), InputError);
    EXPECT_THAT(branch_error({"branch.policy=" + policy, "divergence.policy=dynamic-formation"}),
                HasSubstr("needs warps that stay together"));
  }
}

TEST(BranchDescription, RejectsFetchedTargetsWithoutFetchAhead) {
  EXPECT_NO_THROW(check({"branch.fetches_targets=yes"}));
  EXPECT_THROW(check({"branch.fetches_targets=yes", "dependence.policy=barrel"}), InputError);
  EXPECT_THAT(branch_error({"branch.fetches_targets=yes", "divergence.policy=dynamic-formation"}),
              HasSubstr("needs warps that stay together"));
}

TEST(BranchDescription, RejectsHistoryThatDoesNotFitCounters) {
  EXPECT_NO_THROW(check({"branch.policy=gshare", "branch.counters=64", "branch.history_bits=6"}));
  EXPECT_THROW(check({"branch.policy=gshare", "branch.counters=64", "branch.history_bits=7"}),
               InputError);
  EXPECT_THROW(check({"branch.policy=gshare", "branch.counters=500"}), InputError);
}

}  // namespace
}  // namespace heddle::sm
