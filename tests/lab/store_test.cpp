#include "lab/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/output_file.h"
#include "stored_run.h"

namespace heddle::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

using IfMissing = Store::IfMissing;

struct StoreTest : testing::Test {
  std::string error_of_opening() const {
    try {
      const Store store(file, IfMissing::create);
      store.contains("key");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  static std::vector<std::string> keys(const Store& store, const RunFilter& filter = {}) {
    std::vector<std::string> keys;
    store.for_each(filter, [&](const StoredRun& run) { keys.push_back(run.key); });
    return keys;
  }

  Folder folder;
  std::string file = folder.file("results.sqlite");
};

TEST_F(StoreTest, KeepsARunWithAllThatIsKnownOfIt) {
  Store(file, IfMissing::create).add(stored_run("k"));
  const Store store(file, IfMissing::refuse);
  const StoredRun run = store.find("k");
  EXPECT_EQ(run.key, "k");
  EXPECT_EQ(run.workload, "bfs");
  EXPECT_EQ(run.size, "tiny");
  EXPECT_EQ(run.seed, "18446744073709551615");
  EXPECT_EQ(run.registers, "compiled");
  EXPECT_EQ(run.machine, "storage");
  EXPECT_EQ(run.parameters, "chip.sms = 1\n");
  EXPECT_EQ(run.version, "this");
  EXPECT_EQ(run.stored_at, 1000);
  EXPECT_EQ(run.host_seconds, 0.5);
  EXPECT_EQ(run.result, result_of_cycles(7));
}

TEST_F(StoreTest, KnowsARunByItsWholeKeyOnly) {
  Store store(file, IfMissing::create);
  store.add(stored_run("abc"));
  EXPECT_TRUE(store.contains("abc"));
  EXPECT_FALSE(store.contains("ab"));
  EXPECT_EQ(store.result_of("ab"), std::nullopt);
  EXPECT_EQ(store.find("ab").key, "abc");
}

TEST_F(StoreTest, RefusesABeginThatIsNoneOrSeveralRuns) {
  Store store(file, IfMissing::create);
  store.add(stored_run("abc"));
  store.add(stored_run("abd"));
  EXPECT_THROW(store.find("ab"), InputError);
  EXPECT_THROW(store.find("x"), InputError);
  EXPECT_THROW(store.find(""), InputError);
}

TEST_F(StoreTest, ARunThatIsThereStaysAsItIs) {
  Store store(file, IfMissing::create);
  store.add(stored_run("k"));
  StoredRun again = stored_run("k");
  again.host_seconds = 9;
  store.add(again);
  EXPECT_EQ(store.find("k").host_seconds, 0.5);
}

TEST_F(StoreTest, TellsWhatTheLastRunOfAWorkloadTook) {
  Store store(file, IfMissing::create);
  StoredRun older = stored_run("a");
  StoredRun later = stored_run("b");
  later.stored_at = 2000;
  later.host_seconds = 3;
  store.add(later);
  store.add(older);
  EXPECT_THAT(store.host_seconds_of("bfs", "tiny"), Optional(3.0));
  EXPECT_EQ(store.host_seconds_of("bfs", "small"), std::nullopt);
}

TEST_F(StoreTest, FiltersByAllThatIsSet) {
  Store store(file, IfMissing::create);
  StoredRun old = stored_run("old");
  old.version = "another";
  old.stored_at = 10;
  store.add(old);
  store.add(stored_run("new"));
  store.add(stored_run("scan", "scan"));
  EXPECT_THAT(keys(store), ElementsAre("old", "new", "scan"));
  EXPECT_THAT(keys(store, {.workload = "bfs"}), ElementsAre("old", "new"));
  EXPECT_THAT(keys(store, {.version = "another"}), ElementsAre("old"));
  EXPECT_THAT(keys(store, {.stored_before = 1000}), ElementsAre("old"));
  EXPECT_THAT(keys(store, {.stored_before = 1001}), ElementsAre("old", "new", "scan"));
  EXPECT_THAT(keys(store, {.workload = "scan", .version = "another"}), ElementsAre());
  EXPECT_THAT(keys(store, {.machine = "preexec"}), ElementsAre());
}

TEST_F(StoreTest, RemovesWhatAFilterSays) {
  Store store(file, IfMissing::create);
  store.add(stored_run("a"));
  store.add(stored_run("b", "scan"));
  EXPECT_EQ(store.remove({.workload = "scan"}), 1U);
  EXPECT_THAT(keys(store), ElementsAre("a"));
  EXPECT_EQ(store.remove({.workload = "scan"}), 0U);
}

TEST_F(StoreTest, ThatIsMissingIsCreatedOnlyWhereThatIsAskedFor) {
  EXPECT_THROW(Store(file, IfMissing::refuse), InputError);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_THROW(Store(folder.file("no/such/folder.sqlite"), IfMissing::create), InputError);
}

TEST_F(StoreTest, AFileThatIsNoSqliteIsRefusedAndLeftAlone) {
  OutputFile(file).write(std::string(5000, 'x'));
  EXPECT_THAT(error_of_opening(), HasSubstr("no store of results"));
  EXPECT_EQ(read_file(file), std::string(5000, 'x'));
}

TEST_F(StoreTest, AnotherProgramsFileIsRefusedAndLeftAlone) {
  Database(file, true).execute("CREATE TABLE songs (title TEXT)");
  const std::string before = read_file(file);
  EXPECT_THAT(error_of_opening(), HasSubstr("another program's"));
  EXPECT_EQ(read_file(file), before);
}

TEST_F(StoreTest, ANewerSchemaIsRefusedWithBothNumbers) {
  Store(file, IfMissing::create).add(stored_run("k"));
  Database(file, false).execute("PRAGMA user_version = 7");
  EXPECT_THAT(error_of_opening(), HasSubstr("its schema is 7, this one knows 1"));
}

TEST_F(StoreTest, ADamagedFileIsAnErrorWhereverItIsDamaged) {
  {
    Store store(file, IfMissing::create);
    for (int i = 0; i < 100; ++i) store.add(stored_run(std::to_string(i)));
  }
  const std::string sound = read_file(file);
  int refused = 0;
  for (std::size_t begin = 100; begin + 2000 < sound.size(); begin += 1500) {
    std::string damaged = sound;
    for (std::size_t i = begin; i < begin + 2000; ++i) damaged[i] = static_cast<char>(i * 31);
    OutputFile(file).write(damaged);
    try {
      const Store store(file, IfMissing::refuse);
      keys(store);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5);
}

TEST_F(StoreTest, SeveralThreadsWithConnectionsOfTheirOwnLoseNothing) {
  constexpr int kWriters = 4;
  constexpr int kRuns = 25;
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      Store store(file, IfMissing::create);  // All at once, where there is no file yet.
      for (int i = 0; i < kRuns; ++i) {
        store.add(stored_run(fmt::format("{}-{}", writer, i)));
        store.add(stored_run(fmt::format("common-{}", i)));
      }
    });
  }
  writers.clear();
  EXPECT_EQ(keys(Store(file, IfMissing::refuse)).size(), std::size_t{(kWriters + 1) * kRuns});
}

TEST_F(StoreTest, AProcessThatIsKilledLeavesWholeRunsAndAStoreThatGoesOn) {
  for (int round = 0; round < 4; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Store store(file, IfMissing::create);
      for (int i = 0;; ++i) {
        StoredRun run = stored_run(fmt::format("{}-{}", round, i));
        run.result += std::string(100'000, ' ');  // So that a transaction has many pages.
        store.add(run);
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(30 + 17 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  Store store(file, IfMissing::create);
  std::size_t runs = 0;
  store.for_each({}, [&](const StoredRun& run) {
    ++runs;
    EXPECT_EQ(run.result.size(), result_of_cycles(7).size() + 100'000);
  });
  EXPECT_GT(runs, 0U);
  store.add(stored_run("after"));
  EXPECT_TRUE(store.contains("after"));
  EXPECT_EQ(Database(file, false).integer("SELECT count(*) FROM runs"),
            static_cast<std::int64_t>(runs + 1));
}

}  // namespace
}  // namespace heddle::lab
