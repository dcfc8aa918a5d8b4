#include "config/toml_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace heddle::config {
namespace {

[[noreturn]] void fail_at(const std::string& file, const toml::source_region& region,
                          std::string_view message) {
  throw InputError(fmt::format("{}: error: {}", location_text(file, region), message));
}

}  // namespace

TomlTable::TomlTable(const toml::table& table, const std::string& file, Keys known)
    : table_(&table), file_(&file) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    fail_at(file, key.source(), fmt::format("unknown key '{}'{}", name, suggestion(name, names)));
  }
}

TomlTable TomlTable::with_fallback(const TomlTable& other) const {
  TomlTable both = *this;
  both.fallback_ = &other;
  return both;
}

const toml::node* TomlTable::find(std::string_view key) const {
  const toml::node* const node = table_->get(key);
  return node == nullptr && fallback_ != nullptr ? fallback_->find(key) : node;
}

std::string TomlTable::location(std::string_view key) const {
  const toml::node* const node = find(key);
  return config::location_text(*file_, node != nullptr ? node->source() : table_->source());
}

void TomlTable::fail(std::string_view key, const std::string& message) const {
  const toml::node* const node = find(key);
  fail_at(*file_, node != nullptr ? node->source() : table_->source(), message);
}

bool TomlTable::has_text(std::string_view key) const {
  const toml::node* const node = find(key);
  return node != nullptr && node->is_string();
}

std::string TomlTable::text(std::string_view key) const {
  std::string value = text(key, "");
  if (value.empty()) fail(key, fmt::format("'{}' is {}", key, has(key) ? "empty" : "missing"));
  return value;
}

std::string TomlTable::text(std::string_view key, std::string_view default_value) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::string(default_value);
  if (!node->is_string()) fail(key, fmt::format("'{}' must be a string", key));
  return node->as_string()->get();
}

std::optional<double> TomlTable::number(std::string_view key) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* const whole = node->as_integer()) return static_cast<double>(whole->get());
  if (const auto* const number = node->as_floating_point()) return number->get();
  fail(key, fmt::format("'{}' must be a number", key));
}

std::uint64_t TomlTable::whole_number(std::string_view key, std::uint64_t default_value) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return default_value;
  const auto* const whole = node->as_integer();
  if (whole == nullptr || whole->get() < 0) {
    fail(key, fmt::format("'{}' must be a whole number", key));
  }
  return static_cast<std::uint64_t>(whole->get());
}

std::vector<std::string> TomlTable::texts(std::string_view key) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  const toml::array* const array = node->as_array();
  if (array == nullptr) fail(key, fmt::format("'{}' must be a list of strings", key));
  std::vector<std::string> values;
  for (const toml::node& element : *array) {
    if (!element.is_string()) {
      fail_at(*file_, element.source(), fmt::format("'{}' must be a list of strings", key));
    }
    values.push_back(element.as_string()->get());
  }
  return values;
}

bool TomlTable::flag(std::string_view key, bool default_value) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return default_value;
  if (!node->is_boolean()) fail(key, fmt::format("'{}' must be true or false", key));
  return node->as_boolean()->get();
}

std::vector<double> TomlTable::numbers(std::string_view key) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  const toml::array* const array = node->as_array();
  if (array == nullptr) fail(key, fmt::format("'{}' must be a list of numbers", key));
  std::vector<double> values;
  for (const toml::node& element : *array) {
    if (!element.is_number()) {
      fail_at(*file_, element.source(), fmt::format("'{}' must be a list of numbers", key));
    }
    const auto* const whole = element.as_integer();
    values.push_back(whole != nullptr ? static_cast<double>(whole->get())
                                      : element.as_floating_point()->get());
  }
  return values;
}

std::vector<std::pair<std::string, std::string>> TomlTable::named_texts(
    std::string_view key) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  const std::string message = fmt::format("'{}' must be a table of strings: {{ a = \"b\" }}", key);
  if (!node->is_table()) fail(key, message);
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, element] : *node->as_table()) {
    if (!element.is_string()) fail_at(*file_, element.source(), message);
    values.emplace_back(std::string(name.str()), element.as_string()->get());
  }
  return values;
}

std::optional<TomlTable> TomlTable::table(std::string_view key, Keys known) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail(key, fmt::format("'{}' must be a table: [{}]", key, key));
  return TomlTable(*node->as_table(), *file_, known);
}

std::vector<TomlTable> TomlTable::tables(std::string_view key, Keys known) const {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array_of_tables()) {
    fail(key, fmt::format("'{}' must be a list of tables, each beginning with [[{}]]", key, key));
  }
  std::vector<TomlTable> tables;
  for (const toml::node& element : *node->as_array()) {
    tables.emplace_back(*element.as_table(), *file_, known);
  }
  return tables;
}

}  // namespace heddle::config
