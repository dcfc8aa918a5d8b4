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
#include "run_for_tests.h"

namespace heddle::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

struct StoreTest : testing::Test {
  std::string error_of_opening() const {
    try {
      const Store store(file, Access::create);
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

TEST_F(StoreTest, KeepsAllColumnsOfARun) {
  Store(file, Access::create).add(stored_run("k"));
  const Store store(file, Access::read);
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

TEST_F(StoreTest, LooksRunsUpByTheWholeKey) {
  Store store(file, Access::create);
  store.add(stored_run("abc"));
  EXPECT_TRUE(store.contains("abc"));
  EXPECT_FALSE(store.contains("ab"));
  EXPECT_EQ(store.look_up("ab").state, Store::State::missing);
  EXPECT_EQ(store.find("ab").key, "abc");
}

TEST_F(StoreTest, RejectsKeyPrefixOfNoneOrSeveralRuns) {
  Store store(file, Access::create);
  store.add(stored_run("abc"));
  store.add(stored_run("abd"));
  EXPECT_THROW(store.find("ab"), InputError);
  EXPECT_THROW(store.find("x"), InputError);
  EXPECT_THROW(store.find(""), InputError);
}

TEST_F(StoreTest, KeepsAnExistingSoundRun) {
  Store store(file, Access::create);
  store.add(stored_run("k"));
  StoredRun again = stored_run("k");
  again.host_seconds = 9;
  store.add(again);
  EXPECT_EQ(store.find("k").host_seconds, 0.5);
}

TEST_F(StoreTest, AddsUpHostSecondsByWorkloadSizeGridAndMachine) {
  Store store(file, Access::create);
  const auto add = [&](const std::string& key, double seconds, const auto& change) {
    StoredRun run = stored_run(key);
    run.host_seconds = seconds;
    change(run);
    store.add(run);
  };
  add("a", 1, [](StoredRun&) {});
  add("b", 2, [](StoredRun& run) { run.version = "another"; });
  add("c", 4, [](StoredRun& run) { run.machine = "ilp"; });
  add("d", 8, [](StoredRun& run) { run.grid = "resident"; });
  add("e", 16, [](StoredRun& run) { run.size = "small"; });
  add("f", 32, [](StoredRun& run) { run.workload = "scan"; });
  std::vector<std::string> times;
  for (const auto& [runs, time] : store.host_seconds()) {
    times.push_back(fmt::format("{} {} {} {}: {} in {}", runs.workload, runs.size, runs.grid,
                                runs.machine, time.seconds, time.runs));
  }
  EXPECT_THAT(times,
              ElementsAre("bfs small input storage: 16 in 1", "bfs tiny input ilp: 4 in 1",
                          "bfs tiny input storage: 3 in 2", "bfs tiny resident storage: 8 in 1",
                          "scan tiny input storage: 32 in 1"));
}

TEST_F(StoreTest, FiltersByEveryFieldThatIsSet) {
  Store store(file, Access::create);
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

TEST_F(StoreTest, RemovesRunsThatMatchAFilter) {
  Store store(file, Access::create);
  store.add(stored_run("a"));
  store.add(stored_run("b", "scan"));
  EXPECT_EQ(store.remove({.workload = "scan"}), 1U);
  EXPECT_THAT(keys(store), ElementsAre("a"));
  EXPECT_EQ(store.remove({.workload = "scan"}), 0U);
}

TEST_F(StoreTest, CreatesAMissingFileOnlyOnRequest) {
  EXPECT_THROW(Store(file, Access::read), InputError);
  EXPECT_THROW(Store(file, Access::change), InputError);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_THROW(Store(folder.file("no/such/folder.sqlite"), Access::create), InputError);
}

TEST_F(StoreTest, RejectsAndKeepsAFileThatIsNotSqlite) {
  OutputFile(file).write(std::string(5000, 'x'));
  EXPECT_THAT(error_of_opening(), HasSubstr("not a store of results"));
  EXPECT_EQ(read_file(file), std::string(5000, 'x'));
}

TEST_F(StoreTest, RejectsAndKeepsAnotherProgramsFile) {
  Database(file, Access::create).execute("CREATE TABLE songs (title TEXT)");
  const std::string before = read_file(file);
  EXPECT_THAT(error_of_opening(), HasSubstr("belongs to another program"));
  EXPECT_EQ(read_file(file), before);
}

TEST_F(StoreTest, RejectsNewerSchemaWithBothNumbers) {
  Store(file, Access::create).add(stored_run("k"));
  Database(file, Access::change).execute("PRAGMA user_version = 7");
  EXPECT_THAT(error_of_opening(), HasSubstr("schema 7; this version knows 3"));
}

TEST_F(StoreTest, DetectsDamageAnywhereInTheFile) {
  constexpr std::size_t kRuns = 100;
  {
    Store store(file, Access::create);
    for (std::size_t i = 0; i < kRuns; ++i) store.add(stored_run(std::to_string(i)));
  }
  const std::string sound = read_file(file);
  int rejected = 0;
  int with_damaged_runs = 0;
  for (std::size_t begin = 100; begin + 20 < sound.size(); begin += 97) {
    std::string damaged = sound;
    for (std::size_t i = begin; i < begin + 20; ++i) damaged[i] = static_cast<char>(i * 31);
    OutputFile(file).write(damaged);
    try {
      const Store store(file, Access::read);
      const auto damaged_keys = store.for_each({}, [](const StoredRun& run) {
        EXPECT_EQ(checksum_of(run), checksum_of(stored_run(run.key)));
      });
      with_damaged_runs += damaged_keys.empty() ? 0 : 1;
    } catch (const InputError&) {
      ++rejected;
    }
  }
  EXPECT_GT(rejected, 5);
  EXPECT_GT(with_damaged_runs, 5);
}

TEST_F(StoreTest, DetectsAChangeInAnyColumnAndKeepsOtherRuns) {
  for (const char* const change :
       {"workload = 'scan'", "size = 'small'", "seed = '1'", "registers = 'paper'", "machine = ''",
        "parameters = 'chip.sms = 2'", "version = 'that'", "stored_at = 1001",
        "host_seconds = 0.75", "result = replace(result, '7', '8')", "checksum = ''",
        "result = CAST(result AS BLOB)"}) {
    std::filesystem::remove(file);
    Store store(file, Access::create);
    store.add(stored_run("changed"));
    store.add(stored_run("sound"));
    Database(file, Access::change)
        .execute(fmt::format("UPDATE runs SET {} WHERE key = 'changed'", change));
    EXPECT_EQ(store.look_up("changed").state, Store::State::damaged) << change;
    EXPECT_THROW(store.find("chan"), DamagedRun);
    std::vector<std::string> sound;
    EXPECT_THAT(store.for_each({}, [&](const StoredRun& run) { sound.push_back(run.key); }),
                ElementsAre("changed"));
    EXPECT_THAT(sound, ElementsAre("sound"));
    EXPECT_THAT(store.check().damaged_keys, ElementsAre("changed"));
  }
}

TEST_F(StoreTest, ReplacesADamagedRunWithTheSameKey) {
  Store store(file, Access::create);
  store.add(stored_run("k"));
  Database(file, Access::change).execute("UPDATE runs SET result = 'x'");
  store.add(stored_run("k"));
  EXPECT_EQ(store.look_up("k").run.result, result_of_cycles(7));
  EXPECT_THAT(keys(store), ElementsAre("k"));
}

TEST_F(StoreTest, DetectsAndRepairsKeysOutOfOrder) {
  {
    Store store(file, Access::create);
    for (const char* const key : {"run-1", "run-2", "run-3"}) store.add(stored_run(key));
  }
  std::string bytes = read_file(file);
  // A binary search for the third key now takes the wrong branch here.
  bytes[bytes.find("run-2")] = 'z';
  OutputFile(file).write(bytes);
  Store store(file, Access::change);
  EXPECT_FALSE(store.contains("run-3"));
  EXPECT_THROW(store.require_fit_to_add(), DamagedStore);
  EXPECT_THAT(store.check().file_problems, Not(IsEmpty()));
  EXPECT_EQ(store.remove_damaged(), 1U);
  EXPECT_NO_THROW(store.require_fit_to_add());
  EXPECT_THAT(keys(store), ElementsAre("run-1", "run-3"));
  EXPECT_TRUE(store.contains("run-3"));
}

TEST_F(StoreTest, ReadsOlderSchemaAndAddsChecksumsWhenOpenedForChange) {
  Database(file, Access::create)
      .execute(
          // The table has no index of keys. It thus accepts a duplicate row, as if an index had
          // lost one of the two.
          "PRAGMA application_id = 0x48646c65; PRAGMA user_version = 1;"
          "CREATE TABLE runs (key TEXT NOT NULL, workload TEXT NOT NULL, size TEXT NOT NULL, "
          "seed TEXT NOT NULL, registers TEXT NOT NULL, machine TEXT NOT NULL, "
          "parameters TEXT NOT NULL, version TEXT NOT NULL, stored_at INTEGER NOT NULL, "
          "host_seconds REAL NOT NULL, result TEXT NOT NULL);"
          "CREATE INDEX runs_by_workload ON runs (workload, size, stored_at);");
  const auto insert = [&](const std::string& key, const std::string& result) {
    Database(file, Access::change)
        .execute(fmt::format("INSERT INTO runs VALUES ('{}', 'bfs', 'tiny', '1', 'compiled', "
                             "'storage', '', 'v', 1000, 0.5, '{}')",
                             key, result));
  };
  insert("twice", result_of_cycles(7));
  insert("twice", result_of_cycles(7));
  insert("cut", R"({"totals")");
  {
    const Store store(file, Access::read);
    EXPECT_EQ(store.check().runs_without_checksum, 2U);
    EXPECT_THAT(store.check().damaged_keys, ElementsAre("cut"));
    EXPECT_TRUE(store.contains("twice"));
  }
  EXPECT_EQ(Database(file, Access::read).integer("PRAGMA user_version"), 1);
  const Store store(file, Access::change);
  EXPECT_THAT(keys(store), ElementsAre("twice"));
  EXPECT_EQ(store.look_up("twice").run.result, result_of_cycles(7));
  EXPECT_EQ(store.check().sound_runs, 1U);
  EXPECT_EQ(store.check().runs_without_checksum, 0U);
  EXPECT_EQ(store.look_up("cut").state, Store::State::damaged);
}

TEST_F(StoreTest, KeepsChecksumsOfSchemaWithoutGrids) {
  const StoredRun run = stored_run("old");
  Database(file, Access::create)
      .execute(fmt::format(
          "PRAGMA application_id = 0x48646c65; PRAGMA user_version = 2;"
          "CREATE TABLE runs (key TEXT PRIMARY KEY NOT NULL, workload TEXT NOT NULL, size TEXT NOT "
          "NULL, seed TEXT NOT NULL, registers TEXT NOT NULL, machine TEXT NOT NULL, parameters "
          "TEXT NOT NULL, version TEXT NOT NULL, stored_at INTEGER NOT NULL, host_seconds REAL NOT "
          "NULL, result TEXT NOT NULL, checksum TEXT NOT NULL) WITHOUT ROWID;"
          "INSERT INTO runs VALUES ('old', 'bfs', 'tiny', '18446744073709551615', 'compiled', "
          "'storage', '{}', 'this', 1000, 0.5, '{}', '{}');",
          run.parameters, run.result, checksum_of(run)));
  EXPECT_EQ(Store(file, Access::read).look_up("old").run.grid, "input");
  EXPECT_EQ(Database(file, Access::read).integer("PRAGMA user_version"), 2);
  Store store(file, Access::change);
  EXPECT_EQ(store.look_up("old").state, Store::State::sound);
  StoredRun other = stored_run("new");
  other.grid = "resident";
  store.add(other);
  EXPECT_EQ(store.look_up("new").run.grid, "resident");
  EXPECT_EQ(store.check().sound_runs, 2U);
}

TEST_F(StoreTest, ReadsAnEmptyFileWithoutChangingIt) {
  OutputFile(file).write("");
  const Store store(file, Access::read);
  EXPECT_THAT(keys(store), IsEmpty());
  EXPECT_FALSE(store.contains("k"));
  EXPECT_EQ(read_file(file), "");
}

TEST_F(StoreTest, LosesNothingWithConcurrentConnections) {
  constexpr int kWriters = 4;
  constexpr int kRuns = 25;
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      Store store(file, Access::create);  // All threads do so at once, before the file exists.
      for (int i = 0; i < kRuns; ++i) {
        store.add(stored_run(fmt::format("{}-{}", writer, i)));
        store.add(stored_run(fmt::format("common-{}", i)));
      }
    });
  }
  writers.clear();
  EXPECT_EQ(keys(Store(file, Access::read)).size(), std::size_t{(kWriters + 1) * kRuns});
}

TEST_F(StoreTest, StaysUsableAfterAProcessIsKilled) {
  for (int round = 0; round < 4; ++round) {
    int first_run_is_stored[2];
    ASSERT_EQ(pipe(first_run_is_stored), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Store store(file, Access::create);
      for (int i = 0;; ++i) {
        StoredRun run = stored_run(fmt::format("{}-{}", round, i));
        run.result += std::string(100'000, ' ');  // Makes a transaction span many pages.
        store.add(run);
        if (i == 0 && write(first_run_is_stored[1], "", 1) != 1) _exit(1);
      }
    }
    // The first process may be killed while it creates the file, the others later.
    char byte = 0;
    if (round > 0) {
      ASSERT_EQ(read(first_run_is_stored[0], &byte, 1), 1);
    }
    close(first_run_is_stored[0]);
    close(first_run_is_stored[1]);
    std::this_thread::sleep_for(std::chrono::milliseconds(30 + 17 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  Store store(file, Access::create);
  std::size_t runs = 0;
  EXPECT_THAT(store.for_each({},
                             [&](const StoredRun& run) {
                               ++runs;
                               EXPECT_EQ(run.result.size(), result_of_cycles(7).size() + 100'000);
                             }),
              IsEmpty());
  EXPECT_THAT(store.check().file_problems, IsEmpty());
  EXPECT_GT(runs, 0U);
  store.add(stored_run("after"));
  EXPECT_TRUE(store.contains("after"));
  EXPECT_EQ(Database(file, Access::change).integer("SELECT count(*) FROM runs"),
            static_cast<std::int64_t>(runs + 1));
}

}  // namespace
}  // namespace heddle::lab
