#include "config/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "base/printable.h"

namespace heddle::config {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

std::string Parameter::value() const {
  return std::visit(Overloaded{[](const bool* flag) { return std::string(*flag ? "yes" : "no"); },
                               [](const std::string* choice) { return *choice; },
                               [](const auto* number) { return fmt::format("{}", *number); }},
                    target);
}

std::string_view Parameter::type() const {
  return std::visit(
      Overloaded{[](const bool*) { return "yes or no"; },
                 [this](const std::string*) { return choices.empty() ? "name" : "choice"; },
                 [](const double*) { return "number"; },
                 [](const auto*) { return "whole number"; }},
      target);
}

std::string Parameter::range() const {
  if (std::holds_alternative<bool*>(target)) return {};
  if (std::holds_alternative<std::string*>(target)) {
    return fmt::format("{}", fmt::join(choices, ", "));
  }
  std::string text = fmt::format("{} to {}", domain.least, domain.most);
  if (!domain.unit.empty()) text += fmt::format(" {}", domain.unit);
  return text;
}

void Declarations::declare(std::string_view name, Parameter::Target target, const Domain& domain,
                           std::vector<std::string> choices, std::string_view meaning) {
  Parameter parameter{.name = prefix_ + std::string(name),
                      .target = target,
                      .domain = domain,
                      .choices = std::move(choices),
                      .meaning = std::string(meaning)};
  const bool known = std::any_of(parameters_.begin(), parameters_.end(),
                                 [&](const Parameter& p) { return p.name == parameter.name; });
  if (known) throw std::logic_error("parameter '" + parameter.name + "' is declared twice");
  parameter.default_value = parameter.value();
  parameters_.push_back(std::move(parameter));
}

void Declarations::number(std::string_view name, std::uint32_t& value, const Domain& domain,
                          std::string_view meaning) {
  if (domain.least < 0 || domain.most > 4294967295.0) {
    throw std::logic_error("parameter '" + std::string(name) + "' does not fit 32 bits");
  }
  declare(name, &value, domain, {}, meaning);
}

void Declarations::number(std::string_view name, std::uint64_t& value, const Domain& domain,
                          std::string_view meaning) {
  if (domain.least < 0) {
    throw std::logic_error("parameter '" + std::string(name) + "' cannot be negative");
  }
  declare(name, &value, domain, {}, meaning);
}

void Declarations::number(std::string_view name, double& value, const Domain& domain,
                          std::string_view meaning) {
  declare(name, &value, domain, {}, meaning);
}

void Declarations::flag(std::string_view name, bool& value, std::string_view meaning) {
  declare(name, &value, {}, {}, meaning);
}

void Declarations::choice(std::string_view name, std::string& value,
                          std::vector<std::string> choices, std::string_view meaning) {
  declare(name, &value, {}, std::move(choices), meaning);
}

void Declarations::name(std::string_view name, std::string& value, std::string_view meaning) {
  declare(name, &value, {}, {}, meaning);
}

const Parameter& Declarations::find(std::string_view name) const {
  std::vector<std::string> known;
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name) return parameter;
    known.push_back(parameter.name);
  }
  throw InputError(fmt::format("unknown parameter '{}'{}", shortened(name),
                               suggestion(std::string(name), known)));
}

bool Declarations::has_part(std::string_view name) const {
  const std::string prefix = std::string(name) + ".";
  return std::any_of(parameters_.begin(), parameters_.end(),
                     [&](const Parameter& p) { return p.name.starts_with(prefix); });
}

}  // namespace heddle::config
