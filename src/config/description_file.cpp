#include "config/description_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "config/parse_toml.h"
#include "config/set_value.h"

namespace heddle::config {
namespace {

bool is_heading(std::string_view key) { return key == "summary" || key == "based_on"; }

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

void read_table(const toml::table& table, const std::string& prefix, const std::string& file,
                const Declarations& declarations) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (prefix.empty() && is_heading(name)) continue;
    try {
      if (const toml::table* const part = node.as_table()) {
        if (!declarations.has_part(name)) {
          throw InputError(fmt::format("no part is called '{}'", name));
        }
        read_table(*part, name + ".", file, declarations);
      } else {
        set(declarations.find(name), node);
      }
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (message.starts_with(file + ":")) throw;  // It has its place already.
      throw InputError(fmt::format("{}: error: {}", place(file, node.source()), message));
    }
  }
}

}  // namespace

Heading read_heading(std::string_view text, const std::string& file) {
  const toml::table table = parse_toml(text, file);
  Heading heading;
  for (const auto& [key, value] :
       {std::pair{"summary", &heading.summary}, std::pair{"based_on", &heading.based_on}}) {
    const toml::node* const node = table.get(key);
    if (node == nullptr) continue;
    const auto* const string = node->as_string();
    if (string == nullptr) {
      throw InputError(
          fmt::format("{}: error: '{}' must be a string", place(file, node->source()), key));
    }
    *value = string->get();
  }
  return heading;
}

void read_description(std::string_view text, const std::string& file,
                      const Declarations& declarations) {
  read_table(parse_toml(text, file), "", file, declarations);
}

}  // namespace heddle::config
