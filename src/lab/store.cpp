#include "lab/store.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "base/error.h"

namespace heddle::lab {
namespace {

/// "Hdle": identifies the file as a store in SQLite's header.
constexpr std::int64_t kApplicationId = 0x48646c65;
/// The version of the table's columns. Schema 1 had no checksums, and an index of its keys that
/// could lose a key. Schema 2 had no column for the grid.
constexpr std::int64_t kCurrentSchema = 3;
constexpr std::int64_t kFirstSchema = 1;
constexpr std::int64_t kFirstWithChecksums = 2;
constexpr std::int64_t kFirstWithGrids = 3;

/// The table of the current schema. Its rows are sorted by key, and there is no index: a damaged
/// index could hide a row, which would then be stored twice or be missing in lists. Schema 1 has
/// indices; queries therefore say NOT INDEXED.
constexpr const char* kTable =
    "TABLE runs ("
    "key TEXT PRIMARY KEY NOT NULL, workload TEXT NOT NULL, size TEXT NOT NULL, "
    "seed TEXT NOT NULL, registers TEXT NOT NULL, grid TEXT NOT NULL, machine TEXT NOT NULL, "
    "parameters TEXT NOT NULL, version TEXT NOT NULL, stored_at INTEGER NOT NULL, "
    "host_seconds REAL NOT NULL, result TEXT NOT NULL, checksum TEXT NOT NULL) WITHOUT ROWID";

/// The condition for a RunFilter: an empty text or a negative time matches every row.
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

/// Switches to the write-ahead log, with which readers and a writer do not block each other. If two
/// processes switch at once, one of them gets SQLITE_BUSY without waiting; this function then tries
/// again.
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
    } catch (const BusyStore&) {
      if (attempt == kAttempts) throw;
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace

Store::Store(std::string file, Access access) : database_(std::move(file), access) {
  // SQLite's stricter checks of pages have no measurable cost.
  database_.execute("PRAGMA cell_size_check = ON");
  prepare_file(database_.why_read_only().empty() ? access : Access::read);
}

bool Store::is_empty() const {
  return database_.integer("SELECT count(*) FROM sqlite_master") == 0;
}

void Store::prepare_file(Access access) {
  if (is_empty() && access == Access::read) {
    // The process that created the file was killed, or has not created the table yet. A temporary
    // table, private to this connection, makes the store read as empty.
    database_.execute(fmt::format("CREATE TEMPORARY {}", kTable));
    schema_ = kCurrentSchema;
    return;
  }
  if (is_empty()) {
    Transaction transaction(database_);
    // Another process may have created the table in the meantime.
    if (is_empty()) {
      database_.execute(
          fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; "
                      "CREATE {};",
                      kApplicationId, kCurrentSchema, kTable));
    }
    transaction.commit();
  }
  if (database_.integer("PRAGMA application_id") != kApplicationId) {
    throw InputError(fmt::format(
        "{}: this is not a store of results: the SQLite file belongs to another program", file()));
  }
  read_schema();
  if (schema_ < kCurrentSchema && access != Access::read) {
    Transaction transaction(database_);
    // Another process may have converted the store in the meantime.
    read_schema();
    if (schema_ < kCurrentSchema) rebuild(/*with_damaged=*/true);
    transaction.commit();
  }
  if (access != Access::read) use_write_ahead_log(database_);
}

void Store::read_schema() {
  schema_ = database_.integer("PRAGMA user_version");
  if (schema_ >= kFirstSchema && schema_ <= kCurrentSchema) return;
  throw InputError(
      fmt::format("{}: the store was written by another version of Heddle (schema {}; this version "
                  "knows {}); use that version, or another store",
                  file(), schema_, kCurrentSchema));
}

bool Store::has_checksums() const { return schema_ >= kFirstWithChecksums; }

/// Writes the rows to a new table of the current schema. Must be called within a transaction. Rows
/// are read in the table's order, not by an index, which may lack rows. If two rows have the same
/// key, the first one is kept.
void Store::rebuild(bool with_damaged) {
  database_.execute(
      fmt::format("DROP INDEX IF EXISTS runs_by_workload; ALTER TABLE runs RENAME TO old_runs; "
                  "CREATE {}; PRAGMA user_version = {};",
                  kTable, kCurrentSchema));
  {
    Statement old = database_.prepare(fmt::format("{} FROM old_runs NOT INDEXED", select()));
    while (old.step()) {
      const StoredRun run = run_of(old);
      const bool is_unchanged = is_sound(old, run);
      if (is_unchanged || with_damaged) insert(run, is_unchanged ? checksum_of(run) : "");
    }
  }
  database_.execute("DROP TABLE old_runs");
  schema_ = kCurrentSchema;
}

/// The SELECT clause for a row's columns and its checksum.
std::string Store::select() const {
  std::string columns = kRunColumns;
  if (schema_ < kFirstWithGrids) columns.replace(columns.find("grid"), 4, "'input'");
  return fmt::format("SELECT {}, {}", columns, has_checksums() ? "checksum" : "NULL");
}

Store::LookupResult Store::look_up(std::string_view key) const {
  Statement statement = database_.prepare(select() + " FROM runs WHERE key = ?1");
  if (!statement.bind(1, key).step()) return {};
  StoredRun run = run_of(statement);
  if (!is_sound(statement, run)) return {.state = State::damaged};
  return {.state = State::sound, .run = std::move(run)};
}

void Store::insert(const StoredRun& run, const std::string& checksum) {
  Statement statement = database_.prepare(fmt::format(
      "INSERT OR IGNORE INTO runs ({}, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
      "?10, ?11, ?12, ?13)",
      kRunColumns));
  bind(statement, run, checksum);
  statement.step();
}

void Store::add(std::span<const StoredRun> runs) {
  Transaction transaction(database_);
  for (const StoredRun& run : runs) {
    if (look_up(run.key).state == State::damaged) {
      database_.prepare("DELETE FROM runs WHERE key = ?1").bind(1, run.key).step();
    }
    insert(run, checksum_of(run));
  }
  transaction.commit();
}

void Store::require_fit_to_add() const {
  database_.require_writable();
  require_sound_file();
}

void Store::require_sound_file() const {
  const std::vector<std::string> problems = file_problems();
  if (!problems.empty()) throw DamagedStore(damage_text(file(), problems.front()));
}

std::map<MeasuredRuns, MeasuredTime> Store::host_seconds() const {
  Statement statement = database_.prepare(
      fmt::format("SELECT workload, size, {}, machine, total(host_seconds), count(*) FROM runs NOT "
                  "INDEXED GROUP BY 1, 2, 3, 4",
                  schema_ < kFirstWithGrids ? "'input'" : "grid"));
  std::map<MeasuredRuns, MeasuredTime> times;
  while (statement.step()) {
    times[{statement.text(0), statement.text(1), statement.text(2), statement.text(3)}] = {
        statement.real(4), static_cast<std::uint64_t>(statement.integer(5))};
  }
  return times;
}

std::vector<std::string> Store::distinct_values(Column column) const {
  constexpr std::array<const char*, 4> kNames{"workload", "size", "machine", "version"};
  Statement statement =
      database_.prepare(fmt::format("SELECT DISTINCT {0} FROM runs NOT INDEXED ORDER BY {0}",
                                    kNames[static_cast<std::size_t>(column)]));
  std::vector<std::string> names;
  while (statement.step()) names.push_back(statement.text(0));
  return names;
}

std::vector<std::string> Store::for_each(const RunFilter& filter,
                                         const std::function<void(const StoredRun&)>& visit) const {
  Statement statement = database_.prepare(
      fmt::format("{} FROM runs NOT INDEXED{} ORDER BY workload, size, machine, stored_at, key",
                  select(), kCondition));
  bind(statement, filter);
  std::vector<std::string> damaged;
  while (statement.step()) {
    StoredRun run = run_of(statement);
    if (is_sound(statement, run)) {
      visit(run);
    } else {
      damaged.push_back(std::move(run.key));
    }
  }
  return damaged;
}

StoredRun Store::find(std::string_view key_prefix) const {
  Statement statement = database_.prepare(fmt::format(
      "{} FROM runs NOT INDEXED WHERE substr(key, 1, length(?1)) = ?1 LIMIT 2", select()));
  if (key_prefix.empty() || !statement.bind(1, key_prefix).step()) {
    throw InputError(
        fmt::format("{}: no run has a key that begins with '{}'; 'heddle results "
                    "list' shows all",
                    file(), key_prefix));
  }
  StoredRun run = run_of(statement);
  const bool is_unchanged = is_sound(statement, run);
  if (statement.step()) {
    throw InputError(
        fmt::format("{}: several runs have a key that begins with '{}'", file(), key_prefix));
  }
  if (!is_unchanged) throw DamagedRun(fmt::format("{}: run {} is damaged", file(), run.key));
  return run;
}

std::uint64_t Store::remove(const RunFilter& filter) {
  Transaction transaction(database_);
  {
    Statement statement =
        database_.prepare(fmt::format("DELETE FROM runs NOT INDEXED{}", kCondition));
    bind(statement, filter);
    statement.step();
  }
  const std::int64_t removed = database_.changes();
  transaction.commit();
  return static_cast<std::uint64_t>(removed);
}

std::uint64_t Store::remove_damaged() {
  Transaction transaction(database_);
  const auto count = [&] { return database_.integer("SELECT count(*) FROM runs NOT INDEXED"); };
  const std::int64_t before = count();
  rebuild(/*with_damaged=*/false);
  const std::int64_t after = count();
  require_sound_file();
  transaction.commit();
  return static_cast<std::uint64_t>(before - after);
}

std::vector<std::string> Store::file_problems() const {
  Statement statement = database_.prepare("PRAGMA main.integrity_check(20)");
  std::vector<std::string> problems;
  while (statement.step()) problems.push_back(statement.text(0));
  if (problems.size() == 1 && problems.front() == "ok") return {};
  return problems;
}

Store::Health Store::check() const {
  Health health{.file_problems = file_problems()};
  health.damaged_keys = for_each({}, [&](const StoredRun&) { ++health.sound_runs; });
  if (!has_checksums()) health.runs_without_checksum = health.sound_runs;
  return health;
}

}  // namespace heddle::lab
