#pragma once

// Tables of a TOML file, read key by key. Whatever is wrong is reported with file, line and column.

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

  /// Throws InputError, naming the nearest, where the table has a key that is not `known`. Table
  /// and file's name must outlive it.
  TomlTable(const toml::table& table, const std::string& file, Keys known);

  bool has(std::string_view key) const { return find(key) != nullptr; }
  bool has_text(std::string_view key) const;
  /// Its own keys.
  std::size_t size() const { return table_->size(); }
  /// With the keys of another, which must outlive it, where it has none of its own.
  TomlTable over(const TomlTable& other) const;
  /// Must be there, and not empty.
  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::string_view otherwise) const;
  std::optional<double> number(std::string_view key) const;
  std::uint64_t whole_number(std::string_view key, std::uint64_t otherwise) const;
  bool flag(std::string_view key, bool otherwise) const;
  /// None where the key is not there.
  std::vector<std::string> texts(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;
  /// A table of strings, whatever its keys are.
  std::vector<std::pair<std::string, std::string>> named_texts(std::string_view key) const;
  std::optional<TomlTable> table(std::string_view key, Keys known) const;
  /// [[key]], as often as it is there.
  std::vector<TomlTable> tables(std::string_view key, Keys known) const;

  /// "file:line:column" of the key's value; of the table where it has no such key.
  std::string place(std::string_view key) const;
  /// Throws InputError with the place of the key's value; of the table where it has no such key.
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;
  /// Calls `read`; an InputError of it gets the place of the key's value.
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
  const TomlTable* below_ = nullptr;  ///< What has the keys that it lacks.
  const std::string* file_;
};

}  // namespace heddle::config
