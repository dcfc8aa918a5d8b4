#include "lab/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_for_tests.h"

namespace heddle::lab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// A key of 64 equal digits.
std::string key_of(char digit) { return std::string(64, digit); }

struct MergeTest : testing::Test {
  static std::vector<std::string> keys(const Store& store) {
    std::vector<std::string> keys;
    store.for_each({}, [&](const StoredRun& run) { keys.push_back(run.key); });
    return keys;
  }

  Folder folder;
  std::string other_file = folder.file("other.sqlite");
  Store store{folder.file("store.sqlite"), Access::create};
  Store other{other_file, Access::create};
};

TEST_F(MergeTest, AddsTheRunsThatTheStoreLacks) {
  store.add(stored_run(key_of('a')));
  other.add(stored_run(key_of('a')));
  other.add(stored_run(key_of('b'), "scan"));
  const MergedRuns merged = merge(store, other);
  EXPECT_EQ(merged.added, 1U);
  EXPECT_EQ(merged.known, 1U);
  EXPECT_THAT(keys(store), ElementsAre(key_of('a'), key_of('b')));
  EXPECT_EQ(store.find(key_of('b')).workload, "scan");
  EXPECT_THAT(keys(other), ElementsAre(key_of('a'), key_of('b'))) << "it is not changed";
}

TEST_F(MergeTest, AddsEachRunOnceHoweverOftenItIsRepeated) {
  for (const char digit : {'0', '1', '2'}) other.add(stored_run(key_of(digit)));
  EXPECT_EQ(merge(store, other).added, 3U);
  const MergedRuns again = merge(store, other);
  EXPECT_EQ(again.added, 0U);
  EXPECT_EQ(again.known, 3U);
  EXPECT_EQ(keys(store).size(), 3U);
}

TEST_F(MergeTest, AddsMoreRunsThanOneTransactionTakes) {
  std::vector<StoredRun> runs;
  for (int i = 0; i < 1201; ++i) runs.push_back(stored_run(fmt::format("{:064x}", i)));
  other.add(runs);
  EXPECT_EQ(merge(store, other).added, 1201U);
  EXPECT_EQ(keys(store).size(), 1201U);
}

TEST_F(MergeTest, LeavesDamagedRunsOutAndReplacesThoseOfItsOwn) {
  for (const char digit : {'a', 'b'}) other.add(stored_run(key_of(digit)));
  Database(other_file, Access::change)
      .execute("UPDATE runs SET size = 'large' WHERE key LIKE 'a%'");
  store.add(stored_run(key_of('b')));
  Database(store.file(), Access::change).execute("UPDATE runs SET result = 'x'");
  const MergedRuns merged = merge(store, other);
  EXPECT_THAT(merged.damaged, ElementsAre(key_of('a')));
  EXPECT_EQ(merged.added, 1U);
  EXPECT_EQ(store.look_up(key_of('b')).run.result, result_of_cycles(7));
  EXPECT_EQ(store.look_up(key_of('a')).state, Store::State::missing);
}

TEST_F(MergeTest, KeepsItsOwnResultIfTheOtherDiffers) {
  StoredRun different = stored_run(key_of('a'));
  different.result = result_of_cycles(8);
  store.add(stored_run(key_of('a')));
  other.add(different);
  const MergedRuns merged = merge(store, other);
  EXPECT_THAT(merged.differing, ElementsAre(key_of('a')));
  EXPECT_EQ(merged.known, 0U);
  EXPECT_EQ(store.look_up(key_of('a')).run.result, result_of_cycles(7));
}

TEST_F(MergeTest, TrustsNoKeyAndNoResult) {
  StoredRun no_result = stored_run(key_of('c'));
  no_result.result = "{}";
  std::string upper = key_of('A');
  for (const StoredRun& run : {stored_run("k"), stored_run(upper), no_result}) other.add(run);
  const MergedRuns merged = merge(store, other);
  EXPECT_THAT(merged.damaged, UnorderedElementsAre("k", upper, key_of('c')));
  EXPECT_THAT(keys(store), IsEmpty());
}

}  // namespace
}  // namespace heddle::lab
