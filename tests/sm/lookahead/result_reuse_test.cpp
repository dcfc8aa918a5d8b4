// sm::ResultReuse: renaming registers from the execution of an instruction ahead until its result
// is overwritten. The registers and predicates of a warp are arrays of the test.

#include "sm/lookahead/result_reuse.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "exec/block/warp.h"
#include "sm/front_end/instruction_cache.h"
#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

constexpr std::uint16_t kPredicate = kFirstPredicate + 1;

class ResultReuseTest : public testing::Test {
 protected:
  ResultReuseTest() { set_up({.rename_registers = 4, .queue_entries = 8}); }

  /// A multiprocessor of 64 warp registers, of which blocks leave 16.
  void set_up(const ReuseParameters& parameters) {
    description_.residency.registers = 64 * 32;
    reuse_.emplace(parameters, description_, sub_cores_);
    reuse_->set_free_registers(16);
    context_.base[0] = values_.front().lane;
    context_.predicates = predicates_.data();
    warp_.context = context_;
    warp_.stack.start(0, LaneMask::all(), 0);
  }
  ResultReuse& reuse() { return *reuse_; }
  /// An instruction at `pc` has written these registers ahead, all of them the value `value`.
  void execute_ahead(std::uint32_t pc, std::vector<std::uint16_t> results, std::uint32_t value,
                     Cycle usable = Cycle(10), std::uint32_t token = 0) {
    write(results, value);
    reuse_->add(0, pc, results, context_, Cycle(5), usable, token);
  }
  void write(const std::vector<std::uint16_t>& results, std::uint32_t value) {
    for (const std::uint16_t entry : results) {
      if (entry < kFirstPredicate) {
        std::fill_n(values_[entry].lane, 32, value);
      } else {
        const exec::PredicateRef predicate{std::uint32_t{entry} - kFirstPredicate, false};
        predicates_[predicate.slot()] = value;
      }
    }
  }
  std::uint64_t counter(const std::string& name) {
    CounterList counters;
    reuse_->declare(counters);
    for (const Counter& each : counters.all()) {
      if (each.name == name) return *each.value;
    }
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }
  /// How many registers can be taken at `now`.
  std::uint32_t free_at(std::uint64_t now) {
    std::uint32_t count = 0;
    while (reuse_->has_registers(count + 1, Cycle(now))) ++count;
    return count;
  }

  exec::Warp warp_;

 private:
  SmDescription description_;
  InstructionCache cache_{description_.icache};
  SubCores sub_cores_{description_, cache_};
  std::optional<ResultReuse> reuse_;
  std::array<exec::VectorRegister, 80> values_{};
  std::array<std::uint32_t, 8> predicates_{};
  exec::WarpContext context_;
};

TEST_F(ResultReuseTest, HoldsAReusedResultUntilAllThreadsOverwriteIt) {
  reuse().begin(0);
  execute_ahead(7, {3}, 42);
  EXPECT_EQ(free_at(20), 3U);
  reuse().end(0);
  EXPECT_EQ(free_at(20), 3U) << "the queue has the result";
  EXPECT_FALSE(reuse().take(0, 6));
  ASSERT_TRUE(reuse().take(0, 7));
  EXPECT_TRUE(reuse().is_reusing(0));
  EXPECT_EQ(reuse().reuse(0, warp_, Cycle(30)), Cycle(31)) << "a cycle after its issue";
  EXPECT_FALSE(reuse().is_reusing(0));
  EXPECT_EQ(counter("wrong_results"), 0U);
  const std::array<std::uint16_t, 1> other{4}, same{3};
  reuse().observe_issue(0, 2, other, true);
  EXPECT_EQ(free_at(40), 3U);
  reuse().observe_issue(0, 2, same, false);
  EXPECT_EQ(free_at(40), 3U) << "the other threads' values are there";
  reuse().observe_issue(0, 2, same, true);
  EXPECT_EQ(free_at(40), 4U);
}

TEST_F(ResultReuseTest, CountsLookUpsWhileTheTableOfTheContextHasEntries) {
  const std::array<std::uint16_t, 1> same{3};
  reuse().begin(0);
  reuse().look_up_ahead(0, 5);
  EXPECT_EQ(counter("renaming_lookups"), 0U) << "nothing is renamed";
  execute_ahead(7, {3}, 42);
  reuse().look_up_ahead(0, 5);
  EXPECT_EQ(counter("renaming_lookups"), 5U);
  reuse().end(0);
  reuse().observe_issue(0, 2, same, false);
  EXPECT_EQ(counter("renaming_lookups"), 5U) << "only the table of the second context has entries";
  ASSERT_TRUE(reuse().take(0, 7));
  reuse().reuse(0, warp_, Cycle(30));
  reuse().observe_issue(0, 2, same, true);
  EXPECT_EQ(counter("renaming_lookups"), 7U) << "the source is looked up before it is overwritten";
  reuse().observe_issue(0, 2, same, true);
  EXPECT_EQ(counter("renaming_lookups"), 7U);
}

TEST_F(ResultReuseTest, CountsComparisonsWithAnotherInstructionAtTheHead) {
  EXPECT_FALSE(reuse().take(0, 6));
  EXPECT_EQ(counter("queue_misses"), 0U) << "the queue is empty";
  reuse().begin(0);
  execute_ahead(7, {3}, 42);
  reuse().end(0);
  EXPECT_FALSE(reuse().take(0, 6));
  EXPECT_EQ(counter("queue_misses"), 1U);
  ASSERT_TRUE(reuse().take(0, 7));
  EXPECT_EQ(counter("queue_misses"), 1U);
}

TEST_F(ResultReuseTest, CountsTheCyclesOfRegistersInUse) {
  reuse().begin(0);
  reuse().count_until(Cycle(5));
  execute_ahead(7, {3}, 1);
  execute_ahead(8, {4}, 2);
  reuse().count_until(Cycle(15));
  EXPECT_EQ(counter("register_cycles"), 2U * 10);
  reuse().end(0);
  reuse().count_until(Cycle(18));
  EXPECT_EQ(counter("register_cycles"), 2U * 13) << "the queue refers to both";
  reuse().begin(0);
  reuse().count_until(Cycle(40));
  EXPECT_EQ(counter("register_cycles"), 2U * 13) << "the queue is dropped";
}

TEST_F(ResultReuseTest, ResultThatIsNotWrittenYetIsUsableWhenItIs) {
  reuse().begin(0);
  execute_ahead(7, {3}, 42, Cycle(100));
  reuse().end(0);
  ASSERT_TRUE(reuse().take(0, 7));
  EXPECT_EQ(reuse().reuse(0, warp_, Cycle(30)), Cycle(100));
}

TEST_F(ResultReuseTest, CountsWrongResults) {
  reuse().begin(0);
  execute_ahead(7, {3, kPredicate}, 42);
  reuse().end(0);
  ASSERT_TRUE(reuse().take(0, 7));
  write({3}, 41);
  reuse().reuse(0, warp_, Cycle(30));
  EXPECT_EQ(counter("wrong_results"), 1U);
  EXPECT_EQ(counter("reused"), 1U);
  EXPECT_EQ(counter("renamings"), 4U);
}

TEST_F(ResultReuseTest, ReleasesWhatTheNextWaitAndTheEndOfTheWarpDrop) {
  reuse().begin(0);
  execute_ahead(7, {3}, 1);
  execute_ahead(8, {4}, 2);
  reuse().end(0);
  ASSERT_TRUE(reuse().take(0, 7));
  reuse().reuse(0, warp_, Cycle(30));
  reuse().begin(0);
  EXPECT_EQ(counter("dropped"), 1U);
  EXPECT_EQ(free_at(40), 3U) << "register 3 of the normal context is renamed";
  execute_ahead(8, {3}, 9);
  reuse().end(0);
  EXPECT_EQ(free_at(40), 2U);
  reuse().end_warp(0);
  EXPECT_EQ(free_at(40), 4U);
  EXPECT_EQ(counter("registers_taken"), counter("registers_freed"));
}

TEST_F(ResultReuseTest, RegisterOfAClosedQueueIsReleasedWhenOverwrittenAhead) {
  reuse().begin(0);
  reuse().close_queue(0);
  execute_ahead(7, {3}, 1);
  execute_ahead(8, {3}, 2);
  EXPECT_EQ(free_at(40), 3U);
  reuse().end(0);
  EXPECT_EQ(free_at(40), 4U);
  EXPECT_FALSE(reuse().take(0, 7));
  EXPECT_EQ(counter("not_queued"), 2U);
}

TEST_F(ResultReuseTest, LoadIsReusedOnlyAfterItsArrivalIsKnown) {
  reuse().begin(0);
  execute_ahead(7, {3}, 1, Cycle::never(), 70);
  execute_ahead(8, {4}, 2, Cycle::never(), 80);
  reuse().end(0);
  reuse().complete(70, Cycle(25));
  EXPECT_TRUE(reuse().take(0, 7));
  EXPECT_EQ(reuse().reuse(0, warp_, Cycle(20)), Cycle(25));
  EXPECT_FALSE(reuse().take(0, 8)) << "it is executed again";
  EXPECT_EQ(counter("late"), 1U);
  EXPECT_EQ(free_at(1000), 2U) << "the load will still write its register";
  reuse().complete(80, Cycle(1001));
  EXPECT_EQ(free_at(1001), 3U);
}

TEST_F(ResultReuseTest, BlockTakesRegistersBack) {
  set_up({.rename_registers = 16, .queue_entries = 8});
  reuse().begin(0);
  execute_ahead(7, {3}, 1);
  execute_ahead(8, {4}, 2);
  reuse().end(0);
  ASSERT_TRUE(reuse().take(0, 7));
  reuse().reuse(0, warp_, Cycle(20));
  reuse().begin(1);
  reuse().end(1);
  EXPECT_EQ(reuse().set_free_registers(15), 0U) << "register 0 was that of the normal context";
  EXPECT_EQ(counter("moved"), 1U);
  EXPECT_EQ(counter("dropped"), 0U);
  EXPECT_EQ(reuse().set_free_registers(14), set_of(0)) << "register 1 was in the queue";
  EXPECT_EQ(counter("dropped"), 1U);
  EXPECT_FALSE(reuse().take(0, 8));
  EXPECT_EQ(free_at(40), 14U);
  EXPECT_EQ(reuse().set_free_registers(16), 0U);
  EXPECT_EQ(free_at(40), 16U);
}

TEST_F(ResultReuseTest, BlockMovesTheResultOfTheInstructionThatIsAboutToBeReused) {
  set_up({.rename_registers = 16, .queue_entries = 8});
  reuse().begin(0);
  execute_ahead(7, {3}, 1);
  reuse().end(0);
  ASSERT_TRUE(reuse().take(0, 7));
  EXPECT_EQ(reuse().set_free_registers(0), 0U);
  EXPECT_EQ(counter("moved"), 1U);
  reuse().reuse(0, warp_, Cycle(20));
  EXPECT_EQ(counter("registers_taken"), counter("registers_freed"));
}

TEST(RenamingTable, HasEntriesForRegistersUpTo62AndForPredicates) {
  const std::array<std::uint16_t, 2> has{62, kPredicate};
  const std::array<std::uint16_t, 1> has_not{63};
  EXPECT_TRUE(ResultReuse::can_rename(has));
  EXPECT_FALSE(ResultReuse::can_rename(has_not));
}

}  // namespace
}  // namespace heddle::sm
