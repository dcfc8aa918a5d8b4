#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// An arithmetic formula over named values: "ipc", "l1.misses / (l1.hits + l1.misses)". It consists
/// of names, numbers, + - * / and parentheses, with the usual precedence, and the function bits(n).
/// bits(n) is the number of bits that distinguish n values: the logarithm to base 2, rounded up.
class Formula {
 public:
  /// Throws InputError if `text` is not a formula. The message calls the text by the noun `what`:
  /// "metric".
  explicit Formula(std::string text, std::string_view what = "formula");

  const std::string& text() const { return text_; }
  /// The names that the formula contains, each once, in the order of their first use.
  const std::vector<std::string>& names() const { return names_; }
  /// The formula's value. find(name) returns the optional value of a name. The result is empty if a
  /// name has no value, or if the formula divides by zero.
  template <class Find>
  std::optional<double> evaluate(const Find& find) const {
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
  /// One step of the evaluation on a stack.
  struct Step {
    Kind kind;
    double number = 0;
    std::size_t name = 0;  ///< Index into names_.
  };

  static std::optional<double> calculate(double left, Kind kind, double right);
  /// The value for the given values of names_. Empty if the formula divides by zero.
  std::optional<double> value(std::span<const double> name_values) const;

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Step> steps_;  ///< In postfix order.
};

}  // namespace heddle
