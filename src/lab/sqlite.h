#pragma once

// A thin wrapper around SQLite. Errors of SQLite become InputErrors that name the file.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "lab/private_copy.h"

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::lab {

/// The file's content is inconsistent: some of its bytes have changed.
class DamagedStore : public InputError {
 public:
  using InputError::InputError;
};

/// Another process keeps the file locked.
class BusyStore : public InputError {
 public:
  using InputError::InputError;
};

/// The file cannot be written.
class ReadOnlyStore : public InputError {
 public:
  using InputError::InputError;
};

/// The message for a damaged store. `what` says what is wrong; the message adds what to do.
std::string damage_text(const std::string& file, std::string_view what);

/// The type of a stored value.
enum class ColumnType : std::uint8_t { integer, real, text, blob, null };

/// A prepared statement. Texts that are bound to it must outlive the calls of step().
class Statement {
 public:
  Statement(sqlite3* database, const std::string& file, std::string_view sql);

  /// Binds a value to the parameter ?index; indices count from 1.
  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, std::int64_t number);
  Statement& bind(int index, double number);
  /// Advances to the first or next row; returns false after the last one.
  bool step();
  /// The current row's values; columns count from 0. A null text is empty, a null number is 0.
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
  read,    ///< The file is not changed.
  change,  ///< The file is changed if its permissions allow that.
  create   ///< Like `change`, and a missing file is created.
};

/// An open SQLite file. A file without write permission can be read. SQLite may need to create lock
/// files beside it for reading; if it cannot, a temporary copy is read instead.
class Database {
 public:
  /// Throws InputError if the file cannot be opened, or is missing and may not be created. `file`
  /// is always a file name, even if SQLite would interpret it as a URI ("file:x?mode=memory").
  Database(std::string file, Access access);

  const std::string& file() const { return file_; }
  /// Empty if the file can be written.
  const std::string& why_read_only() const { return why_read_only_; }
  /// Throws ReadOnlyStore if the file cannot be written.
  void require_writable() const;
  /// The statement must not outlive the database, and the database must not be moved meanwhile.
  Statement prepare(std::string_view sql) const;
  /// Executes statements whose rows are not needed.
  void execute(const std::string& sql) const;
  /// The first column of the first row that `sql` gives; 0 if there is no row.
  std::int64_t integer(std::string_view sql) const;
  /// Number of rows that the last statement changed.
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

/// A transaction, rolled back by the destructor unless it was committed. It takes the write lock at
/// its begin, not at its first change, so that two transactions cannot deadlock.
class Transaction {
 public:
  /// Begins a transaction. Throws ReadOnlyStore if the file cannot be written.
  explicit Transaction(const Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  const Database* database_;
  bool is_open_ = true;
};

}  // namespace heddle::lab
