#include "sm/dependence/dependence.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "code/program.h"

namespace heddle::sm {
namespace {

using code::Instruction;
using code::Operand;
using code::Operation;

/// R`to` = R`from` + 1
Instruction add(std::uint32_t to, std::uint32_t from) {
  Instruction instruction;
  instruction.operation = Operation::add;
  instruction.type = ValueType::u32;
  instruction.destinations = {Operand::reg(to)};
  instruction.sources = {Operand::reg(from), Operand::immediate(1)};
  return instruction;
}

/// P`to` = R`from` == 0
Instruction compare(std::uint32_t to, std::uint32_t from) {
  Instruction instruction = add(0, from);
  instruction.operation = Operation::setp;
  instruction.destinations = {Operand::predicate(to)};
  return instruction;
}

/// [R`to`:`to`+1] = R`from`
Instruction store(std::uint32_t to, std::uint32_t from) {
  Instruction instruction;
  instruction.operation = Operation::store;
  instruction.type = ValueType::u32;
  instruction.space = code::Space::global;
  instruction.sources = {Operand::reg(to, 2), Operand::reg(from)};
  return instruction;
}

Instruction guarded(Instruction instruction, std::uint32_t predicate) {
  instruction.guard.predicate = predicate;
  return instruction;
}

/// A policy and a program. Tests issue the program's instructions for any warp, in any order.
class Pipeline {
 public:
  Pipeline(std::string_view policy, std::vector<Instruction> instructions)
      : table_(program_of(std::move(instructions))) {
    dependence_ = make_dependence({.policy = std::string(policy)});
    for (WarpSlot warp = 0; warp < kMaxWarps; ++warp) dependence_->start(warp, table_);
  }

  void issue(std::uint32_t pc, std::uint64_t now, Cycle done,
             WaitReason reason = WaitReason::fixed_latency_result, WarpSlot warp = 0) {
    dependence_->issue(warp, table_, table_[pc],
                       {.at = Cycle(now), .done = done, .computed = done, .reason = reason});
  }
  void issue(std::uint32_t pc, std::uint64_t now, std::uint64_t done,
             WaitReason reason = WaitReason::fixed_latency_result, WarpSlot warp = 0) {
    issue(pc, now, Cycle(done), reason, warp);
  }
  void complete(std::uint32_t pc, std::uint64_t done, WarpSlot warp = 0) {
    dependence_->complete(warp, table_, table_[pc], 0, Cycle(done));
  }
  Readiness ready(std::uint32_t pc, WarpSlot warp = 0) const {
    return dependence_->ready(warp, table_, table_[pc], LaneMask::all(), Cycle(0));
  }
  bool can_issue(std::uint32_t pc, std::uint64_t now, WarpSlot warp = 0) const {
    return ready(pc, warp).at <= Cycle(now);
  }
  Dependence& dependence() { return *dependence_; }
  const IssueTable& table() const { return table_; }

 private:
  static code::Program program_of(std::vector<Instruction> instructions) {
    code::Program program;
    program.instructions = std::move(instructions);
    return program;
  }

  IssueTable table_;
  std::unique_ptr<Dependence> dependence_;
};

constexpr const char* kPolicies[] = {"barrel", "stall-on-miss", "scoreboard"};

TEST(Dependence, NewWarpIsReady) {
  for (const char* policy : kPolicies) {
    const Pipeline pipeline(policy, {add(1, 0)});
    EXPECT_TRUE(pipeline.can_issue(0, 0)) << policy;
  }
}

TEST(Dependence, ReaderWaitsForWriter) {
  for (const char* policy : kPolicies) {
    Pipeline pipeline(policy, {add(1, 0), add(2, 1)});
    pipeline.issue(0, 10, 18, WaitReason::short_latency_result);
    EXPECT_FALSE(pipeline.can_issue(1, 17)) << policy;
    EXPECT_TRUE(pipeline.can_issue(1, 18)) << policy;
    EXPECT_EQ(pipeline.ready(1).reason, WaitReason::short_latency_result) << policy;
  }
}

TEST(Dependence, ReaderWaitsForCompletionOfUnknownTime) {
  for (const char* policy : kPolicies) {
    Pipeline pipeline(policy, {add(1, 0), add(2, 1)});
    pipeline.issue(0, 10, Cycle::never(), WaitReason::long_latency_result);
    EXPECT_EQ(pipeline.ready(1).at, Cycle::never()) << policy;
    EXPECT_EQ(pipeline.ready(1).reason, WaitReason::long_latency_result) << policy;
    pipeline.complete(0, 500);
    EXPECT_FALSE(pipeline.can_issue(1, 499)) << policy;
    EXPECT_TRUE(pipeline.can_issue(1, 500)) << policy;
    EXPECT_EQ(pipeline.ready(1).reason, WaitReason::long_latency_result) << policy;
  }
}

TEST(Dependence, WarpsDoNotWaitForEachOther) {
  for (const char* policy : kPolicies) {
    Pipeline pipeline(policy, {add(1, 0), add(2, 1)});
    pipeline.issue(0, 10, 18, WaitReason::fixed_latency_result, 63);
    EXPECT_FALSE(pipeline.can_issue(1, 17, 63)) << policy;
    EXPECT_TRUE(pipeline.can_issue(1, 0, 62)) << policy;
  }
}

TEST(Dependence, NextWarpOfSlotStartsAfresh) {
  for (const char* policy : kPolicies) {
    Pipeline pipeline(policy, {add(254, 0), compare(6, 254), guarded(add(2, 254), 6)});
    pipeline.issue(0, 10, Cycle::never(), WaitReason::long_latency_result);
    pipeline.issue(1, 11, Cycle::never(), WaitReason::long_latency_result);
    pipeline.dependence().start(0, pipeline.table());
    EXPECT_TRUE(pipeline.can_issue(2, 0)) << policy;
  }
}

TEST(Scoreboard, LargerProgramDoesNotDisturbWarpsOfSmallerOne) {
  Pipeline small("scoreboard", {add(1, 0), add(2, 1), compare(1, 0), guarded(add(3, 2), 1)});
  small.issue(0, 10, 18);
  small.issue(2, 11, Cycle::never(), WaitReason::long_latency_result);
  const Pipeline large("scoreboard", {add(200, 0), compare(40, 200)});
  small.dependence().start(5, large.table());
  EXPECT_FALSE(small.can_issue(1, 17));
  EXPECT_TRUE(small.can_issue(1, 18));
  EXPECT_EQ(small.ready(3).at, Cycle::never()) << "its predicate is pending";
  EXPECT_EQ(small.ready(3).reason, WaitReason::long_latency_result);

  small.dependence().issue(5, large.table(), large.table()[0],
                           {.at = Cycle(20), .done = Cycle(30), .computed = Cycle(30)});
  EXPECT_EQ(
      small.dependence().ready(5, large.table(), large.table()[1], LaneMask::all(), Cycle(20)).at,
      Cycle(30));
  EXPECT_TRUE(small.can_issue(1, 18)) << "the registers of the two warps are tracked separately";
  small.complete(2, 40);
  EXPECT_EQ(small.ready(3).at, Cycle(40));
}

TEST(Scoreboard, IndependentInstructionsDoNotWait) {
  Pipeline pipeline("scoreboard", {add(1, 0), add(3, 2)});
  pipeline.issue(0, 10, Cycle::never(), WaitReason::long_latency_result);
  EXPECT_TRUE(pipeline.can_issue(1, 11));
}

TEST(Scoreboard, WriterWaitsForEarlierWriter) {
  Pipeline pipeline("scoreboard", {add(1, 0), add(1, 2)});
  pipeline.issue(0, 10, 18);
  EXPECT_FALSE(pipeline.can_issue(1, 17));
  EXPECT_TRUE(pipeline.can_issue(1, 18));
}

TEST(Scoreboard, WriterDoesNotWaitForReaders) {
  Pipeline pipeline("scoreboard", {add(1, 0), add(0, 2)});
  pipeline.issue(0, 10, 18);
  EXPECT_TRUE(pipeline.can_issue(1, 11));
}

TEST(Scoreboard, TracksPredicates) {
  Pipeline pipeline("scoreboard", {compare(1, 0), guarded(add(3, 2), 1), guarded(add(3, 2), 0)});
  pipeline.issue(0, 10, 18);
  EXPECT_FALSE(pipeline.can_issue(1, 17));
  EXPECT_TRUE(pipeline.can_issue(1, 18));
  EXPECT_TRUE(pipeline.can_issue(2, 11)) << "P0 is neither P1 nor R1";
}

TEST(Scoreboard, WaitsForBothHalvesOfAddress) {
  Pipeline pipeline("scoreboard", {add(5, 0), store(4, 1)});
  pipeline.issue(0, 10, 18);
  EXPECT_FALSE(pipeline.can_issue(1, 17));
  EXPECT_TRUE(pipeline.can_issue(1, 18));
}

TEST(Scoreboard, ReportsCauseOfLatestResult) {
  Pipeline pipeline("scoreboard", {add(4, 0), add(5, 0), store(4, 1)});
  pipeline.issue(0, 10, 40, WaitReason::short_latency_result);
  pipeline.issue(1, 11, 19, WaitReason::fixed_latency_result);
  EXPECT_EQ(pipeline.ready(2).at, Cycle(40));
  EXPECT_EQ(pipeline.ready(2).reason, WaitReason::short_latency_result);
  pipeline.issue(1, 40, Cycle::never(), WaitReason::long_latency_result);
  EXPECT_EQ(pipeline.ready(2).reason, WaitReason::long_latency_result);
}

TEST(Scoreboard, ReportsSlowerCauseOfSimultaneousResults) {
  Pipeline pipeline("scoreboard", {add(4, 0), add(5, 0), store(4, 1)});
  pipeline.issue(0, 10, 40, WaitReason::long_latency_result);
  pipeline.issue(1, 11, 40, WaitReason::fixed_latency_result);
  EXPECT_EQ(pipeline.ready(2).reason, WaitReason::long_latency_result);
}

TEST(Scoreboard, StoreDelaysNoInstruction) {
  Pipeline pipeline("scoreboard", {store(4, 1), add(1, 4)});
  pipeline.issue(0, 10, Cycle::never());
  EXPECT_TRUE(pipeline.can_issue(1, 11));
}

// The model holds, for each register and predicate, the cycle from which it is available.
TEST(Scoreboard, MatchesModelUnderRandomTraffic) {
  std::mt19937_64 random(7);
  std::vector<Instruction> instructions;
  const auto some_register = [&] { return static_cast<std::uint32_t>(random() % 12 * 23); };
  for (int i = 0; i < 40; ++i) {
    Instruction instruction = i % 4 == 0
                                  ? compare(static_cast<std::uint32_t>(i) % 7, some_register())
                                  : add(some_register(), some_register());
    if (i % 3 == 0) instruction = guarded(instruction, static_cast<std::uint32_t>(i) % 5);
    instructions.push_back(instruction);
  }
  Pipeline pipeline("scoreboard", instructions);
  // Registers and predicates have names: "R23", "P4".
  const auto used_by = [](const Instruction& instruction) {
    std::set<std::string> names;
    const auto use = [&](const Operand& operand) {
      if (operand.is_register()) names.insert("R" + std::to_string(operand.index));
      if (operand.is_predicate()) names.insert("P" + std::to_string(operand.index));
    };
    for (const Operand& operand : instruction.sources) use(operand);
    for (const Operand& operand : instruction.destinations) use(operand);
    if (instruction.guard.present()) {
      names.insert("P" + std::to_string(instruction.guard.predicate));
    }
    return names;
  };
  const auto written_by = [](const Instruction& instruction) {
    const Operand& d = instruction.destinations[0];
    return (d.is_register() ? "R" : "P") + std::to_string(d.index);
  };
  std::map<std::string, std::uint64_t> available;
  std::vector<std::uint32_t> without_time;
  std::uint64_t issued = 0;
  for (std::uint64_t now = 0; now < 20'000; ++now) {
    if (random() % 8 == 0 && !without_time.empty()) {
      const std::uint32_t pc = without_time.back();
      without_time.pop_back();
      const std::uint64_t done = now + random() % 10;
      pipeline.complete(pc, done);
      available[written_by(instructions[pc])] = done;
    }
    const auto pc = static_cast<std::uint32_t>(random() % instructions.size());
    bool waits = false;
    for (const std::string& name : used_by(instructions[pc])) waits |= available[name] > now;
    ASSERT_EQ(pipeline.can_issue(pc, now), !waits) << "cycle " << now;
    if (waits) continue;
    ++issued;
    if (random() % 4 == 0) {
      pipeline.issue(pc, now, Cycle::never(), WaitReason::long_latency_result);
      available[written_by(instructions[pc])] = ~std::uint64_t{0};
      without_time.push_back(pc);
    } else {
      const std::uint64_t done = now + 1 + random() % 20;
      pipeline.issue(pc, now, done);
      available[written_by(instructions[pc])] = done;
    }
  }
  EXPECT_GT(issued, 1000u);
}

TEST(OneAtATime, IndependentInstructionWaits) {
  for (const char* policy : {"barrel", "stall-on-miss"}) {
    Pipeline pipeline(policy, {add(1, 0), add(3, 2)});
    pipeline.issue(0, 10, 18);
    EXPECT_FALSE(pipeline.can_issue(1, 17)) << policy;
    EXPECT_TRUE(pipeline.can_issue(1, 18)) << policy;
    pipeline.issue(0, 18, Cycle::never(), WaitReason::long_latency_result);
    EXPECT_FALSE(pipeline.can_issue(1, 1000)) << policy << ": a miss stalls at once";
    pipeline.complete(0, 1001);
    EXPECT_TRUE(pipeline.can_issue(1, 1001)) << policy;
  }
}

TEST(OneAtATime, NextInstructionWaitsUntilStoreLeavesPipeline) {
  for (const char* policy : {"barrel", "stall-on-miss"}) {
    Pipeline pipeline(policy, {store(4, 1), add(3, 2)});
    pipeline.issue(0, 10, 15);
    EXPECT_FALSE(pipeline.can_issue(1, 14)) << policy;
    EXPECT_TRUE(pipeline.can_issue(1, 15)) << policy;
  }
}

TEST(Barrel, WaitsForCompletionOfInstructionWithoutResult) {
  Pipeline pipeline("barrel", {store(4, 1), add(3, 2)});
  pipeline.issue(0, 10, Cycle::never());
  EXPECT_EQ(pipeline.ready(1).at, Cycle::never());
  pipeline.complete(0, 300);
  EXPECT_EQ(pipeline.ready(1).at, Cycle(300));
}

TEST(StallOnMiss, DoesNotWaitForCompletionOfInstructionWithoutResult) {
  Pipeline pipeline("stall-on-miss", {store(4, 1), add(3, 2), add(5, 3)});
  pipeline.issue(0, 10, Cycle::never());
  EXPECT_FALSE(pipeline.can_issue(1, 10));
  EXPECT_TRUE(pipeline.can_issue(1, 11));
  pipeline.issue(1, 11, 19);
  pipeline.complete(0, 300);
  EXPECT_TRUE(pipeline.can_issue(2, 19)) << "the late completion is not that of the last one";
}

TEST(Dependence, OnlyBarrelHoldsFetch) {
  for (const char* policy : kPolicies) {
    EXPECT_EQ(DependenceDescription{.policy = policy}.holds_fetch(),
              std::string_view(policy) == "barrel")
        << policy;
  }
}

TEST(Dependence, OnlyScoreboardsOverlapInstructionsOfWarp) {
  const auto is_one_at_a_time = [](std::string policy) {
    return DependenceDescription{.policy = std::move(policy)}.is_one_at_a_time();
  };
  EXPECT_TRUE(is_one_at_a_time("barrel"));
  EXPECT_TRUE(is_one_at_a_time("stall-on-miss"));
  EXPECT_FALSE(is_one_at_a_time("scoreboard"));
  EXPECT_FALSE(is_one_at_a_time("commit-scoreboard"));
}

TEST(Dependence, OnlyCommitScoreboardHasSharedEntriesAndNeedsActiveLanes) {
  for (const char* policy : {"barrel", "stall-on-miss", "scoreboard", "commit-scoreboard"}) {
    const DependenceDescription description{.policy = policy};
    const bool is_expected = description.policy == "commit-scoreboard";
    EXPECT_EQ(make_dependence(description)->shared_entries() != nullptr, is_expected) << policy;
    EXPECT_EQ(description.needs_active_lanes(), is_expected) << policy;
  }
}

TEST(Dependence, OnlyBarrelNeedsFetchPortPerScheduler) {
  for (const char* policy : kPolicies) {
    const DependenceDescription description{.policy = policy};
    EXPECT_NO_THROW(description.check({.fetch_ports = 2, .schedulers = 2})) << policy;
    const auto check = [&] { description.check({.fetch_ports = 1, .schedulers = 2}); };
    if (std::string_view(policy) == "barrel") {
      EXPECT_THROW(check(), InputError);
    } else {
      EXPECT_NO_THROW(check()) << policy;
    }
  }
}

}  // namespace
}  // namespace heddle::sm
