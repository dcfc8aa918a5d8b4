#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/measures.h"

namespace heddle::lab {

/// A figure that is made of what was measured: "ipc", "l1.misses / (l1.hits + l1.misses)". Names,
/// numbers, + - * / and parentheses, with their usual precedence.
class Metric {
 public:
  /// Throws InputError for what is no such formula.
  explicit Metric(std::string text);

  const std::string& text() const { return text_; }
  /// What it is made of.
  const std::vector<std::string>& names() const { return names_; }
  /// Empty where something was not measured, or would be divided by zero.
  std::optional<double> of(const Measures& measures) const;

 private:
  class Parser;
  enum class Kind : std::uint8_t { name, number, add, subtract, multiply, divide };
  /// In postfix order.
  struct Step {
    Kind kind;
    double number = 0;
    std::size_t name = 0;  ///< Index into names_.
  };

  std::string text_;
  std::vector<std::string> names_;
  std::vector<Step> steps_;
};

}  // namespace heddle::lab
