#include "lab/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "base/error.h"
#include "base/printable.h"

namespace heddle::lab {
namespace {

/// Deeper than anybody writes, and shallow enough for the host's stack.
constexpr int kMostParentheses = 64;

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool continues_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

class Metric::Parser {
 public:
  explicit Parser(Metric& metric) : metric_(metric), rest_(metric.text_) {}

  void parse() {
    sum();
    if (next() != '\0') fail();
  }

 private:
  [[noreturn]] void fail() {
    if (metric_.text_.find_first_not_of(' ') == std::string::npos) {
      throw InputError("a metric is empty; it is a name ('ipc', a counter) or a formula of names");
    }
    const std::size_t at = metric_.text_.size() - rest_.size();
    throw InputError(fmt::format(
        "'{}' is no metric: expected {} at column {}; it is made of names of counters, numbers, "
        "+ - * / and parentheses",
        shortened(metric_.text_),
        expecting_operand_ ? "a name or a number" : "an operator or the end", at + 1));
  }

  /// The next character that is no space; 0 at the end.
  char next() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
  }

  void sum() {
    product();
    for (char c = next(); c == '+' || c == '-'; c = next()) {
      rest_.remove_prefix(1);
      product();
      metric_.steps_.push_back({.kind = c == '+' ? Kind::add : Kind::subtract});
    }
  }

  void product() {
    operand();
    for (char c = next(); c == '*' || c == '/'; c = next()) {
      rest_.remove_prefix(1);
      operand();
      metric_.steps_.push_back({.kind = c == '*' ? Kind::multiply : Kind::divide});
    }
  }

  void operand() {
    expecting_operand_ = true;
    const char c = next();
    if (c == '(' && depth_ < kMostParentheses) {
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
    auto& names = metric_.names_;
    const auto known = std::find(names.begin(), names.end(), text);
    metric_.steps_.push_back(
        {.kind = Kind::name, .name = static_cast<std::size_t>(known - names.begin())});
    if (known == names.end()) names.push_back(text);
  }

  void number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    metric_.steps_.push_back({.kind = Kind::number, .number = value});
  }

  Metric& metric_;
  std::string_view rest_;
  int depth_ = 0;
  bool expecting_operand_ = true;
};

Metric::Metric(std::string text) : text_(std::move(text)) { Parser(*this).parse(); }

std::optional<double> Metric::of(const Measures& measures) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.kind == Kind::number) {
      stack.push_back(step.number);
      continue;
    }
    if (step.kind == Kind::name) {
      const std::optional<double> value = measures.find(names_[step.name]);
      if (!value) return std::nullopt;
      stack.push_back(*value);
      continue;
    }
    const double right = stack.back();
    stack.pop_back();
    double& left = stack.back();
    if (step.kind == Kind::add) {
      left += right;
    } else if (step.kind == Kind::subtract) {
      left -= right;
    } else if (step.kind == Kind::multiply) {
      left *= right;
    } else {
      if (right == 0) return std::nullopt;
      left /= right;
    }
  }
  return stack.back();
}

}  // namespace heddle::lab
