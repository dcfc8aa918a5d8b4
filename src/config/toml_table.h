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

/// A table of a TOML file, and a check of its keys. Functions that read a key throw InputError with
/// the location if its value has another type.
class TomlTable {
 public:
  using Keys = std::initializer_list<const char*>;

  /// Throws InputError if the table has a key that is not `known`; the message suggests the nearest
  /// one. The table and the file's name must outlive this object.
  TomlTable(const toml::table& table, const std::string& file, Keys known);

  /// Whether this table or its fallback has the key.
  bool has(std::string_view key) const { return find(key) != nullptr; }
  /// Whether the key is present and its value is a string.
  bool has_text(std::string_view key) const;
  /// The number of keys of the table itself, without those of a fallback.
  std::size_t size() const { return table_->size(); }
  /// A table with the keys of this one and, for keys that this one lacks, those of `other`. `other`
  /// must outlive the result.
  TomlTable with_fallback(const TomlTable& other) const;
  /// The key's string. Throws InputError if the key is missing or its string is empty.
  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::string_view default_value) const;
  /// Empty if the key is missing.
  std::optional<double> number(std::string_view key) const;
  std::uint64_t whole_number(std::string_view key, std::uint64_t default_value) const;
  bool flag(std::string_view key, bool default_value) const;
  /// A list of strings; empty if the key is missing.
  std::vector<std::string> texts(std::string_view key) const;
  /// A list of numbers; empty if the key is missing.
  std::vector<double> numbers(std::string_view key) const;
  /// The keys and values of a table of strings with arbitrary keys; empty if the key is missing.
  std::vector<std::pair<std::string, std::string>> named_texts(std::string_view key) const;
  /// The table [key]; empty if the key is missing.
  std::optional<TomlTable> table(std::string_view key, Keys known) const;
  /// All tables [[key]] in their order; none if the key is missing.
  std::vector<TomlTable> tables(std::string_view key, Keys known) const;

  /// "file:line:column" of the key's value, or of the table if the key is missing.
  std::string location(std::string_view key) const;
  /// Throws InputError with the message and the location of the key's value, or of the table if the
  /// key is missing.
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
  /// Returns null if neither this table nor its fallback has the key.
  const toml::node* find(std::string_view key) const;

  const toml::table* table_;
  const TomlTable* fallback_ = nullptr;  ///< Read for keys that this table lacks; may be null.
  const std::string* file_;
};

}  // namespace heddle::config
