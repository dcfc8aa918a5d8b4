#include "lab/sqlite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace heddle::lab {
namespace {

/// The longest wait for a lock: far longer than any transaction takes.
constexpr int kBusyMilliseconds = 30000;

[[noreturn]] void throw_error(sqlite3* database, const std::string& file, int result) {
  switch (result & 0xff) {  // The low byte is SQLite's primary result code.
    case SQLITE_NOTADB:
      throw InputError(
          fmt::format("{}: this is not a store of results: it is not an SQLite file", file));
    case SQLITE_CORRUPT:
      throw DamagedStore(damage_text(file, sqlite3_errmsg(database)));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      throw BusyStore(
          fmt::format("{}: another process keeps the store locked; try again later", file));
    case SQLITE_CANTOPEN:
      throw InputError(
          fmt::format("{}: cannot open the store: no such file or folder, or no permission", file));
    default:
      throw InputError(fmt::format("{}: {}", file, sqlite3_errmsg(database)));
  }
}

/// Why a file, or the lock and log files that SQLite puts beside it, cannot be written; empty if
/// they can. The file need not exist.
std::string why_not_writable(const std::filesystem::path& file) {
  std::error_code error;
  // SQLite follows symbolic links and writes beside the real file.
  const std::filesystem::path real = std::filesystem::weakly_canonical(file, error);
  const std::filesystem::path& target = error ? file : real;
  const auto is_write_protected = [](const std::filesystem::path& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT;
  };
  if (is_write_protected(target)) return std::strerror(errno);
  if (is_write_protected(target.parent_path()))
    return fmt::format("its folder: {}", std::strerror(errno));
  return "";
}

}  // namespace

std::string damage_text(const std::string& file, std::string_view what) {
  return fmt::format(
      "{}: the store is damaged ({}); 'heddle results prune --damaged' keeps the sound runs. If "
      "that fails, move the file away; its runs will be simulated again",
      file, what);
}

Statement::Statement(sqlite3* database, const std::string& file, std::string_view sql)
    : database_(database), file_(&file) {
  sqlite3_stmt* statement = nullptr;
  check(
      sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
  statement_.reset(statement);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::check(int result) const {
  if (result != SQLITE_OK) throw_error(database_, *file_, result);
}

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer would be bound as NULL, which compares equal to nothing.
  const char* const bytes = text.empty() ? "" : text.data();
  check(sqlite3_bind_text(statement_.get(), index, bytes, static_cast<int>(text.size()), nullptr));
  return *this;
}

Statement& Statement::bind(int index, std::int64_t number) {
  check(sqlite3_bind_int64(statement_.get(), index, number));
  return *this;
}

Statement& Statement::bind(int index, double number) {
  check(sqlite3_bind_double(statement_.get(), index, number));
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) throw_error(database_, *file_, result);
  return false;
}

ColumnType Statement::type(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_INTEGER:
      return ColumnType::integer;
    case SQLITE_FLOAT:
      return ColumnType::real;
    case SQLITE_TEXT:
      return ColumnType::text;
    case SQLITE_BLOB:
      return ColumnType::blob;
    default:
      return ColumnType::null;
  }
}

std::string Statement::text(int column) const {
  const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

Database::Database(std::string file, Access access) : file_(std::move(file)) {
  // A path that begins with a folder is never a URI or ":memory:" for SQLite.
  const std::string path = file_.starts_with("/") ? file_ : "./" + file_;
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) why_read_only_ = why_not_writable(path);
  if (why_read_only_.empty()) {
    open(path, SQLITE_OPEN_READWRITE | (access == Access::create ? SQLITE_OPEN_CREATE : 0));
  } else {
    open(path, SQLITE_OPEN_READONLY);
    if (can_be_read()) return;
    copy_ = std::make_unique<PrivateCopy>(path);
    open(copy_->path(), SQLITE_OPEN_READWRITE);
  }
}

void Database::open(const std::string& path, int flags) {
  sqlite3* database = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (result != SQLITE_OK) throw_error(database, file_, result);
  sqlite3_busy_timeout(database, kBusyMilliseconds);
}

/// Whether SQLite could create the files that it needs for reading.
bool Database::can_be_read() const {
  const int result = 0xff & sqlite3_exec(database_.get(), "SELECT count(*) FROM sqlite_master",
                                         nullptr, nullptr, nullptr);
  return result != SQLITE_CANTOPEN && result != SQLITE_READONLY;
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Statement Database::prepare(std::string_view sql) const {
  return Statement(database_.get(), file_, sql);
}

void Database::execute(const std::string& sql) const {
  const int result = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) throw_error(database_.get(), file_, result);
}

std::int64_t Database::integer(std::string_view sql) const {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::changes() const { return sqlite3_changes64(database_.get()); }

void Database::require_writable() const {
  if (why_read_only_.empty()) return;
  throw ReadOnlyStore(fmt::format("{}: the store cannot be written ({})", file_, why_read_only_));
}

Transaction::Transaction(const Database& database) : database_(&database) {
  database.require_writable();
  database.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!is_open_) return;
  try {
    database_->execute("ROLLBACK");
  } catch (const InputError&) {
    // The preceding failure has rolled the transaction back already.
  }
}

void Transaction::commit() {
  database_->execute("COMMIT");
  is_open_ = false;
}

}  // namespace heddle::lab
