#include "lab/stored_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_for_tests.h"

namespace heddle::lab {
namespace {

using testing::HasSubstr;
using testing::Optional;

/// A plan with three runs, all of which are stored.
struct StoredCellsTest : testing::Test {
  StoredCellsTest() : store(folder.file("results.sqlite"), Access::create) {
    for (const char* const key : {"first", "second", "third"}) {
      plan.cells.push_back({.key = key, .workload = &workload::find_workload("bfs")});
      store.add(stored_run(key));
    }
  }

  Folder folder;
  Store store;
  Plan plan;
};

TEST_F(StoredCellsTest, AreReadInThePlansOrder) {
  const StoredCells read = read_cells(plan, store);
  ASSERT_EQ(read.cells.size(), 3U);
  EXPECT_THAT(read.cells[2]->find("cycles"), Optional(7.0));
  EXPECT_TRUE(read.missing_runs.empty());
  EXPECT_THAT(read.last_stored_at, Optional(1000));
}

TEST_F(StoredCellsTest, AreEmptyAndNamedIfARunWasRemoved) {
  Database(store.file(), Access::change).execute("DELETE FROM runs WHERE key = 'second'");
  const StoredCells read = read_cells(plan, store);
  ASSERT_EQ(read.cells.size(), 3U);
  EXPECT_FALSE(read.cells[1]);
  ASSERT_EQ(read.missing_runs.size(), 1U);
  EXPECT_EQ(read.missing_runs[0].run->key, "second");
  EXPECT_THAT(read.missing_runs[0].why, HasSubstr("not in the store"));
}

TEST_F(StoredCellsTest, AreEmptyAndNamedIfARunIsDamagedOrUnreadable) {
  Database(store.file(), Access::change).execute("UPDATE runs SET seed = 2 WHERE key = 'first'");
  Database(store.file(), Access::change).execute("DELETE FROM runs WHERE key = 'third'");
  StoredRun other = stored_run("third");
  other.result = "{}";
  store.add(other);
  const StoredCells read = read_cells(plan, store);
  ASSERT_EQ(read.missing_runs.size(), 2U);
  EXPECT_THAT(read.missing_runs[0].why, HasSubstr("damaged"));
  EXPECT_THAT(read.missing_runs[1].why, HasSubstr("not the result of a timed run"));
}

}  // namespace
}  // namespace heddle::lab
