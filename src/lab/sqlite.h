#pragma once

// SQLite, as far as it is needed. What it refuses becomes an InputError that names the file.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::lab {

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

class Database {
 public:
  /// Throws InputError where there is no such file and `create` is not set.
  Database(std::string file, bool create);

  const std::string& file() const { return file_; }
  bool read_only() const;
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

  std::string file_;
  std::unique_ptr<sqlite3, Close> database_;
};

/// A transaction; undone unless it is committed. Others wait for it from its begin, not its first
/// change, so that two cannot wait for each other.
class Transaction {
 public:
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
