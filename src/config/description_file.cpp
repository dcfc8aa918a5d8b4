#include "config/description_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "config/parse_toml.h"
#include "config/set_parameter.h"

namespace heddle::config {
namespace {

constexpr std::string_view kGroup = "group";

bool is_heading(std::string_view key) { return key == "summary" || key == "based_on"; }

/// Throws InputError with the node's location.
[[noreturn]] void refuse(const toml::node& node, const std::string& file, std::string_view why) {
  throw InputError(fmt::format("{}: error: {}", location_text(file, node.source()), why));
}

/// Returns null if the description has no groups.
const toml::table* groups_of(const toml::table& description, const std::string& file) {
  const toml::node* const node = description.get(kGroup);
  if (node == nullptr) return nullptr;
  const toml::table* const groups = node->as_table();
  if (groups == nullptr) refuse(*node, file, "a group is a table: [group.NAME]");
  return groups;
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

/// Sets a parameter to a TOML value. Throws InputError if the value is not allowed.
void set(const Parameter& parameter, const toml::node& node) {
  if (const auto* text = node.as_string()) return set_text(parameter, text->get());
  if (const auto* flag = node.as_boolean()) return set_text(parameter, flag->get() ? "yes" : "no");
  const bool takes_number = !std::holds_alternative<bool*>(parameter.target) &&
                            !std::holds_alternative<std::string*>(parameter.target);
  if (const auto* whole = node.as_integer(); whole != nullptr && takes_number) {
    return set_number(parameter, static_cast<double>(whole->get()),
                      static_cast<std::uint64_t>(whole->get()), std::to_string(whole->get()));
  }
  if (const auto* number = node.as_floating_point();
      number != nullptr && std::holds_alternative<double*>(parameter.target)) {
    return set_number(parameter, number->get(), 0, fmt::format("{}", number->get()));
  }
  throw InputError(fmt::format("{}: expected {}", parameter.name, expectation(parameter)));
}

/// Sets the parameters that a table and its parts give. `prefix` is the table's name with a dot, or
/// empty.
void read_table(const toml::table& table, const std::string& prefix, const std::string& file,
                const Declarations& declarations) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (prefix.empty() && (is_heading(name) || name == kGroup)) continue;
    try {
      if (const toml::table* const part = node.as_table()) {
        if (!declarations.has_part(name)) {
          throw InputError(fmt::format("unknown section '{}'", name));
        }
        read_table(*part, name + ".", file, declarations);
      } else {
        set(declarations.find(name), node);
      }
    } catch (const InputError& error) {
      const std::string message = error.what();
      // The message of an inner part already has its location.
      if (message.starts_with(file + ":")) throw;
      refuse(node, file, message);
    }
  }
}

}  // namespace

struct DescriptionFile::Parsed {
  toml::table table;
};

DescriptionFile::DescriptionFile(std::string_view text, std::string file)
    : file_(std::move(file)), parsed_(std::make_unique<Parsed>(Parsed{parse_toml(text, file_)})) {}
DescriptionFile::DescriptionFile(DescriptionFile&&) noexcept = default;
DescriptionFile& DescriptionFile::operator=(DescriptionFile&&) noexcept = default;
DescriptionFile::~DescriptionFile() = default;

Heading DescriptionFile::heading() const {
  Heading heading;
  for (const auto& [key, value] :
       {std::pair{"summary", &heading.summary}, std::pair{"based_on", &heading.based_on}}) {
    const toml::node* const node = parsed_->table.get(key);
    if (node == nullptr) continue;
    const auto* const string = node->as_string();
    if (string == nullptr) refuse(*node, file_, fmt::format("'{}' must be a string", key));
    *value = string->get();
  }
  return heading;
}

void DescriptionFile::read(const Declarations& declarations) const {
  read_table(parsed_->table, "", file_, declarations);
}

std::vector<std::string> DescriptionFile::group_names() const {
  const toml::table* const groups = groups_of(parsed_->table, file_);
  if (groups == nullptr) return {};
  struct NamedGroup {
    toml::source_position at;
    std::string name;
  };
  std::vector<NamedGroup> found;
  for (const auto& [key, node] : *groups) {
    if (!node.is_table()) refuse(node, file_, "a group is a table: [group.NAME]");
    if (!is_plain_name(key.str())) {
      refuse(node, file_,
             fmt::format("a group's name is made of letters, digits, '-' and '_', not '{}'",
                         key.str()));
    }
    found.push_back({.at = node.source().begin, .name = std::string(key.str())});
  }
  std::sort(found.begin(), found.end(),
            [](const NamedGroup& a, const NamedGroup& b) { return a.at < b.at; });
  std::vector<std::string> names;
  names.reserve(found.size());
  for (NamedGroup& named : found) names.push_back(std::move(named.name));
  return names;
}

void DescriptionFile::read_groups(const Declarations& declarations) const {
  if (const toml::table* const groups = groups_of(parsed_->table, file_)) {
    read_table(*groups, "group.", file_, declarations);
  }
}

}  // namespace heddle::config
