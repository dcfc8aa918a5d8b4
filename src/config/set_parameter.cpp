#include "config/set_parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/nearest.h"
#include "base/printable.h"

namespace heddle::config {
namespace {

[[noreturn]] void refuse(const Parameter& parameter, const std::string& given) {
  throw InputError(fmt::format("{} = {}: expected {}", parameter.name, shortened(given),
                               expectation(parameter)));
}

/// Parses all of `text` as a number; a suffix K, M or G is allowed if the number counts bytes.
/// Empty if `text` is not such a number, or if the number is too large.
template <class Number>
std::optional<Number> number_of(std::string_view text, bool counts_bytes) {
  std::uint64_t factor = 1;
  if (counts_bytes && !text.empty()) {
    const std::size_t suffix = std::string_view("KMG").find(text.back());
    if (suffix != std::string_view::npos) {
      factor = std::uint64_t{1} << (10 * (suffix + 1));
      text.remove_suffix(1);
    }
  }
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (number > std::numeric_limits<Number>::max() / static_cast<Number>(factor)) {
    return std::nullopt;
  }
  return static_cast<Number>(number * static_cast<Number>(factor));
}

/// Whether `text` is empty or could name a group of a description.
bool is_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

std::string expectation(const Parameter& parameter) {
  std::string text(parameter.type());
  if (const std::string range = parameter.range(); !range.empty()) {
    text += parameter.choices.empty() ? ", " : " of ";
    text += range;
  }
  return text;
}

void set_number(const Parameter& parameter, double value, std::uint64_t whole_value,
                const std::string& given) {
  if (!(value >= parameter.domain.least && value <= parameter.domain.most)) {
    refuse(parameter, given);
  }
  if (auto* const* target = std::get_if<double*>(&parameter.target)) {
    **target = value;
  } else if (auto* const* wide = std::get_if<std::uint64_t*>(&parameter.target)) {
    **wide = whole_value;
  } else {
    **std::get_if<std::uint32_t*>(&parameter.target) = static_cast<std::uint32_t>(whole_value);
  }
}

void set_text(const Parameter& parameter, std::string_view text) {
  const std::string given(text);
  if (auto* const* flag = std::get_if<bool*>(&parameter.target)) {
    if (text != "yes" && text != "no" && text != "true" && text != "false") {
      refuse(parameter, given);
    }
    **flag = text == "yes" || text == "true";
    return;
  }
  if (auto* const* choice = std::get_if<std::string*>(&parameter.target)) {
    if (parameter.choices.empty()) {
      if (!is_name(text)) refuse(parameter, given);
      **choice = given;
      return;
    }
    if (std::find(parameter.choices.begin(), parameter.choices.end(), text) ==
        parameter.choices.end()) {
      throw InputError(fmt::format("{} = {}: unknown choice{}", parameter.name, shortened(given),
                                   suggestion(given, parameter.choices)));
    }
    **choice = given;
    return;
  }
  const bool counts_bytes = parameter.domain.unit == "B";
  if (std::holds_alternative<double*>(parameter.target)) {
    const std::optional<double> number = number_of<double>(text, counts_bytes);
    if (!number) refuse(parameter, given);
    set_number(parameter, *number, 0, given);
    return;
  }
  const std::optional<std::uint64_t> number = number_of<std::uint64_t>(text, counts_bytes);
  if (!number) refuse(parameter, given);
  set_number(parameter, static_cast<double>(*number), *number, given);
}

void set_parameter(const Declarations& declarations, std::string_view name, std::string_view text) {
  set_text(declarations.find(name), text);
}

void set_parameter(const Declarations& declarations, std::string_view name_and_value) {
  const std::size_t equals = name_and_value.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw InputError(fmt::format("'{}': expected KEY=VALUE", shortened(name_and_value)));
  }
  set_parameter(declarations, name_and_value.substr(0, equals), name_and_value.substr(equals + 1));
}

}  // namespace heddle::config
