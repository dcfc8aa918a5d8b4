#pragma once

// SQLite, as far as it is needed. What it refuses becomes an InputError that names the file.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "lab/private_copy.h"

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::lab {

/// What stands in the file cannot be: bytes of it have changed.
class DamagedStore : public InputError {
 public:
  using InputError::InputError;
};

/// Another process does not let go of it.
class BusyStore : public InputError {
 public:
  using InputError::InputError;
};

/// A file that cannot be written is to keep something.
class ReadOnlyStore : public InputError {
 public:
  using InputError::InputError;
};

/// What to say of a damaged one, and what to do then.
std::string damage_text(const std::string& file, std::string_view what);

/// Of a value as it is stored.
enum class ColumnType : std::uint8_t { integer, real, text, blob, null };

/// A prepared statement. Texts that are bound must outlive its steps.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& file, std::string_view sql);

  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, std::int64_t number);
  Statement& bind(int index, double number);
  /// Whether there is another row.
  bool step();
  /// Columns count from 0.
  ColumnType type(int column) const;
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  void check(int result) const;

  sqlite3* database_;
  const std::string* file_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

enum class Access : std::uint8_t {
  read,    ///< Nothing changes.
  change,  ///< As far as the file may be written.
  create   ///< The same; a file that is missing is made.
};

/// One that may not be written can be read. Where SQLite could not do so beside the file, as it
/// keeps notes of who reads there, a copy is read.
class Database {
 public:
  /// Throws InputError, also where there is no such file, unless it is to be created. The name is a
  /// file's, even where SQLite would take it for an address ("file:x?mode=memory").
  Database(std::string file, Access access);

  const std::string& file() const { return file_; }
  /// Empty: it can be written.
  const std::string& why_read_only() const { return why_read_only_; }
  /// Throws ReadOnlyStore.
  void require_writable() const;
  /// The statement must not outlive the database, which must not move meanwhile.
  Statement prepare(std::string_view sql) const;
  void execute(const std::string& sql) const;
  std::int64_t integer(std::string_view sql) const;
  /// Rows that the last statement changed.
  std::int64_t changes() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  void open(const std::string& path, int flags);
  bool can_be_read() const;

  std::string file_;
  std::string why_read_only_;
  std::unique_ptr<PrivateCopy> copy_;
  std::unique_ptr<sqlite3, Close> database_;
};

/// A transaction; undone unless it is committed. Others wait for it from its begin, not its first
/// change, so that two cannot wait for each other.
class Transaction {
 public:
  /// Throws ReadOnlyStore.
  explicit Transaction(const Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  const Database* database_;
  bool open_ = true;
};

}  // namespace heddle::lab
