#pragma once

// Reads the tables of a TOML file key by key. Errors are reported with file, line and column.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/parse_toml.h"

namespace heddle::config {

class TomlTable {
 public:
  using Keys = std::initializer_list<const char*>;

  /// Throws InputError if the table has a key that is not `known`; the message suggests the nearest
  /// one. The table and the file's name must outlive this object.
  TomlTable(const toml::table& table, const std::string& file, Keys known);

  bool has(std::string_view key) const { return find(key) != nullptr; }
  bool has_text(std::string_view key) const;
  /// The number of keys of the table itself, without those of a fallback.
  std::size_t size() const { return table_->size(); }
  /// A table with the keys of this one, and of `other` for keys that this one lacks. `other` must
  /// outlive the result.
  TomlTable with_fallback(const TomlTable& other) const;
  /// The key must be present, and its text not empty.
  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::string_view default_value) const;
  std::optional<double> number(std::string_view key) const;
  std::uint64_t whole_number(std::string_view key, std::uint64_t default_value) const;
  bool flag(std::string_view key, bool default_value) const;
  /// Empty if the key is missing.
  std::vector<std::string> texts(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;
  /// A table of strings with arbitrary keys.
  std::vector<std::pair<std::string, std::string>> named_texts(std::string_view key) const;
  std::optional<TomlTable> table(std::string_view key, Keys known) const;
  /// All tables [[key]].
  std::vector<TomlTable> tables(std::string_view key, Keys known) const;

  /// "file:line:column" of the key's value, or of the table if the key is missing.
  std::string place(std::string_view key) const;
  /// Throws InputError with the location of the key's value, or of the table if it is missing.
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;
  /// Calls `read`; if that throws InputError, adds the location of the key's value.
  template <class Read>
  decltype(auto) at(std::string_view key, const Read& read) const {
    try {
      return read();
    } catch (const InputError& error) {
      fail(key, error.what());
    }
  }

 private:
  const toml::node* find(std::string_view key) const;

  const toml::table* table_;
  const TomlTable* fallback_ = nullptr;  ///< Has the keys that this table lacks.
  const std::string* file_;
};

}  // namespace heddle::config
