#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A figure that is made of named ones: "ipc", "l1.misses / (l1.hits + l1.misses)". Names, numbers,
/// + - * / and parentheses, with their usual precedence, and bits(n): how many bits tell n things
/// apart.
class Formula {
 public:
  /// Throws InputError for what is none; `what` says in it what it was to be: "formula".
  explicit Formula(std::string text, std::string_view what = "formula");

  const std::string& text() const { return text_; }
  /// What it is made of.
  const std::vector<std::string>& names() const { return names_; }
  /// `find` gives a name's value as an optional. Empty where it gives none, or where something
  /// would be divided by zero.
  template <class Find>
  std::optional<double> of(const Find& find) const {
    std::vector<double> values;
    for (const std::string& name : names_) {
      const std::optional<double> value = find(name);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return value(values);
  }

 private:
  class Parser;
  enum class Kind : std::uint8_t { name, number, add, subtract, multiply, divide, bits };
  /// In postfix order.
  struct Step {
    Kind kind;
    double number = 0;
    std::size_t name = 0;  ///< Index into names_.
  };

  static std::optional<double> calculate(double left, Kind kind, double right);
  std::optional<double> value(std::span<const double> of_names) const;

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Step> steps_;
};

}  // namespace heddle
