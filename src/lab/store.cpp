#include "lab/store.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/error.h"

namespace heddle::lab {
namespace {

/// "Hdle": says in the file's header that it is ours.
constexpr std::int64_t kApplication = 0x48646c65;
constexpr std::int64_t kSchema = 1;

constexpr const char* kColumns =
    "key, workload, size, seed, registers, machine, parameters, version, stored_at, host_seconds, "
    "result";

constexpr const char* kCreate =
    "CREATE TABLE runs ("
    "key TEXT PRIMARY KEY NOT NULL, workload TEXT NOT NULL, size TEXT NOT NULL, "
    "seed TEXT NOT NULL, registers TEXT NOT NULL, machine TEXT NOT NULL, "
    "parameters TEXT NOT NULL, version TEXT NOT NULL, stored_at INTEGER NOT NULL, "
    "host_seconds REAL NOT NULL, result TEXT NOT NULL);"
    "CREATE INDEX runs_by_workload ON runs (workload, size, stored_at);";

StoredRun row_of(const Statement& statement) {
  return {.key = statement.text(0),
          .workload = statement.text(1),
          .size = statement.text(2),
          .seed = statement.text(3),
          .registers = statement.text(4),
          .machine = statement.text(5),
          .parameters = statement.text(6),
          .version = statement.text(7),
          .stored_at = statement.integer(8),
          .host_seconds = statement.real(9),
          .result = statement.text(10)};
}

/// An empty text, or no time, leaves its condition out.
constexpr const char* kCondition =
    " WHERE (?1 = '' OR workload = ?1) AND (?2 = '' OR size = ?2) AND (?3 = '' OR machine = ?3)"
    " AND (?4 = '' OR version = ?4) AND (?5 < 0 OR stored_at < ?5)";

void bind(Statement& statement, const RunFilter& filter) {
  statement.bind(1, filter.workload)
      .bind(2, filter.size)
      .bind(3, filter.machine)
      .bind(4, filter.version)
      .bind(5, filter.stored_before.value_or(-1));
}

/// Readers and a writer get on with each other in this mode. Two processes that set it at once are
/// in each other's way, and SQLite does not wait for that.
void use_write_ahead_log(const Database& database) {
  {
    // An open statement would keep the mode from being changed.
    Statement mode = database.prepare("PRAGMA journal_mode");
    if (mode.step() && mode.text(0) == "wal") return;
  }
  constexpr int kAttempts = 200;
  constexpr std::chrono::milliseconds kPause{20};
  for (int attempt = 1;; ++attempt) {
    try {
      database.execute("PRAGMA journal_mode = WAL");
      return;
    } catch (const InputError&) {
      if (attempt == kAttempts) throw;
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace

Store::Store(std::string file, IfMissing if_missing)
    : database_(std::move(file), if_missing == IfMissing::create) {
  prepare_file();
}

void Store::prepare_file() {
  const auto is_empty = [&] {
    return database_.integer("SELECT count(*) FROM sqlite_master") == 0;
  };
  if (is_empty() && !database_.read_only()) {
    Transaction transaction(database_);
    // Another process may have been faster.
    if (is_empty()) {
      database_.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; {}",
                                    kApplication, kSchema, kCreate));
    }
    transaction.commit();
  }
  if (database_.integer("PRAGMA application_id") != kApplication) {
    throw InputError(
        fmt::format("{}: this SQLite file is another program's, no store of results", file()));
  }
  const std::int64_t schema = database_.integer("PRAGMA user_version");
  if (schema != kSchema) {
    throw InputError(
        fmt::format("{}: the store was written by another Heddle (its schema is {}, this one "
                    "knows {}); use that one, or another store",
                    file(), schema, kSchema));
  }
  if (!database_.read_only()) use_write_ahead_log(database_);
}

bool Store::contains(std::string_view key) const {
  Statement statement = database_.prepare("SELECT 1 FROM runs WHERE key = ?1");
  return statement.bind(1, key).step();
}

std::optional<std::string> Store::result_of(std::string_view key) const {
  Statement statement = database_.prepare("SELECT result FROM runs WHERE key = ?1");
  if (!statement.bind(1, key).step()) return std::nullopt;
  return statement.text(0);
}

std::optional<std::int64_t> Store::stored_at(std::string_view key) const {
  Statement statement = database_.prepare("SELECT stored_at FROM runs WHERE key = ?1");
  if (!statement.bind(1, key).step()) return std::nullopt;
  return statement.integer(0);
}

void Store::add(const StoredRun& run) {
  Transaction transaction(database_);
  {
    Statement statement = database_.prepare(
        fmt::format("INSERT OR IGNORE INTO runs ({}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                    "?10, ?11)",
                    kColumns));
    statement.bind(1, run.key)
        .bind(2, run.workload)
        .bind(3, run.size)
        .bind(4, run.seed)
        .bind(5, run.registers)
        .bind(6, run.machine)
        .bind(7, run.parameters)
        .bind(8, run.version)
        .bind(9, run.stored_at)
        .bind(10, run.host_seconds)
        .bind(11, run.result)
        .step();
  }
  transaction.commit();
}

std::optional<double> Store::host_seconds_of(std::string_view workload,
                                             std::string_view size) const {
  Statement statement = database_.prepare(
      "SELECT host_seconds FROM runs WHERE workload = ?1 AND size = ?2 ORDER BY stored_at DESC "
      "LIMIT 1");
  if (!statement.bind(1, workload).bind(2, size).step()) return std::nullopt;
  return statement.real(0);
}

std::vector<std::string> Store::versions() const {
  Statement statement = database_.prepare("SELECT DISTINCT version FROM runs ORDER BY version");
  std::vector<std::string> versions;
  while (statement.step()) versions.push_back(statement.text(0));
  return versions;
}

void Store::for_each(const RunFilter& filter,
                     const std::function<void(const StoredRun&)>& look) const {
  Statement statement =
      database_.prepare(fmt::format("SELECT {} FROM runs{} ORDER BY workload, size, machine, "
                                    "stored_at, key",
                                    kColumns, kCondition));
  bind(statement, filter);
  while (statement.step()) look(row_of(statement));
}

StoredRun Store::find(std::string_view key_begin) const {
  Statement statement = database_.prepare(
      fmt::format("SELECT {} FROM runs WHERE substr(key, 1, length(?1)) = ?1 LIMIT 2", kColumns));
  if (key_begin.empty() || !statement.bind(1, key_begin).step()) {
    throw InputError(
        fmt::format("{}: no run has a key that begins with '{}'; 'heddle results "
                    "list' shows all",
                    file(), key_begin));
  }
  StoredRun run = row_of(statement);
  if (statement.step()) {
    throw InputError(
        fmt::format("{}: several runs have a key that begins with '{}'", file(), key_begin));
  }
  return run;
}

std::uint64_t Store::remove(const RunFilter& filter) {
  Transaction transaction(database_);
  {
    Statement statement = database_.prepare(fmt::format("DELETE FROM runs{}", kCondition));
    bind(statement, filter);
    statement.step();
  }
  const std::int64_t removed = database_.changes();
  transaction.commit();
  return static_cast<std::uint64_t>(removed);
}

}  // namespace heddle::lab
