#include "base/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/printable.h"

namespace heddle {
namespace {

/// The maximum depth of nested parentheses: more than any real formula has, yet shallow enough for
/// the host's stack.
constexpr int kMaxDepth = 64;

/// The only function: the number of bits that distinguish n values.
constexpr std::string_view kBits = "bits";

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool continues_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

/// A recursive-descent parser that appends to the formula's names and steps.
class Formula::Parser {
 public:
  Parser(Formula& formula, std::string_view what)
      : formula_(formula), what_(what), rest_(formula.text_) {}

  void parse() {
    sum();
    if (next() != '\0') fail();
  }

 private:
  [[noreturn]] void fail() {
    if (formula_.text_.find_first_not_of(' ') == std::string::npos) {
      throw InputError(fmt::format("a {} is empty: expected a name or a formula of names", what_));
    }
    const std::size_t at = formula_.text_.size() - rest_.size();
    throw InputError(fmt::format(
        "'{}' is not a valid {}: expected {} at column {}; use names, numbers, + - * / and "
        "parentheses",
        shortened(formula_.text_), what_,
        expecting_operand_ ? "a name or a number" : "an operator or the end", at + 1));
  }

  /// The next character that is not a space; 0 at the end.
  char next() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }

  void sum() {
    product();
    for (char c = next(); c == '+' || c == '-'; c = next()) {
      rest_.remove_prefix(1);
      product();
      formula_.steps_.push_back({.kind = c == '+' ? Kind::add : Kind::subtract});
    }
  }

  void product() {
    operand();
    for (char c = next(); c == '*' || c == '/'; c = next()) {
      rest_.remove_prefix(1);
      operand();
      formula_.steps_.push_back({.kind = c == '*' ? Kind::multiply : Kind::divide});
    }
  }

  void operand() {
    expecting_operand_ = true;
    const char c = next();
    if (c == '(' && depth_ < kMaxDepth) {
      ++depth_;
      rest_.remove_prefix(1);
      sum();
      if (next() != ')') fail();
      rest_.remove_prefix(1);
      --depth_;
    } else if (begins_name(c)) {
      name();
    } else if (is_digit(c)) {
      number();
    } else {
      fail();
    }
    expecting_operand_ = false;
  }

  void name() {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), continues_name);
    const std::string text(rest_.begin(), end);
    rest_.remove_prefix(text.size());
    if (text == kBits && next() == '(') {
      operand();
      formula_.steps_.push_back({.kind = Kind::bits});
      return;
    }
    auto& names = formula_.names_;
    const auto known = std::find(names.begin(), names.end(), text);
    formula_.steps_.push_back(
        {.kind = Kind::name, .name = static_cast<std::size_t>(known - names.begin())});
    if (known == names.end()) names.push_back(text);
  }

  void number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    formula_.steps_.push_back({.kind = Kind::number, .number = value});
  }

  Formula& formula_;
  std::string_view what_;  ///< What messages call the text.
  std::string_view rest_;  ///< The part that is not parsed yet.
  int depth_ = 0;          ///< The number of open parentheses.
  bool expecting_operand_ = true;
};

Formula::Formula(std::string text, std::string_view what) : text_(std::move(text)) {
  Parser(*this, what).parse();
}

std::optional<double> Formula::calculate(double left, Kind kind, double right) {
  switch (kind) {
    case Kind::add:
      return left + right;
    case Kind::subtract:
      return left - right;
    case Kind::multiply:
      return left * right;
    default:
      return right == 0 ? std::nullopt : std::optional(left / right);
  }
}

std::optional<double> Formula::value(std::span<const double> name_values) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Kind::number:
        stack.push_back(step.number);
        break;
      case Kind::name:
        stack.push_back(name_values[step.name]);
        break;
      case Kind::bits:
        stack.back() = stack.back() <= 1 ? 0 : std::ceil(std::log2(stack.back()));
        break;
      default: {
        const double right = stack.back();
        stack.pop_back();
        const std::optional<double> result = calculate(stack.back(), step.kind, right);
        if (!result) return std::nullopt;
        stack.back() = *result;
      }
    }
  }
  return stack.back();
}

}  // namespace heddle
