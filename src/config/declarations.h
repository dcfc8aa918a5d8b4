#pragma once

// The parameters that a machine description may set. Each component declares its parameters once,
// beside the code that uses them. Reading, checking, listing and writing descriptions all use these
// declarations.
//
//   struct CacheDescription {
//     std::uint64_t bytes = 16384;
//     void declare(config::Declarations& parameters) {
//       parameters.number("bytes", bytes, {.unit = "B", .least = 64, .most = 1 << 30},
//                         "capacity for data");
//     }
//   };

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::config {

/// The range of a number (both ends are allowed values) and its unit.
struct Domain {
  std::string_view unit = {};  ///< "cycles", "B"; empty for a plain count.
  double least = 0;
  double most = 4294967295.0;
};

/// One declared parameter, bound to the variable that holds it. The variable's value when the
/// parameter is declared is the default.
struct Parameter {
  using Target = std::variant<std::uint32_t*, std::uint64_t*, double*, bool*, std::string*>;

  std::string name;  ///< With its sections: "l1.bytes".
  Target target;
  Domain domain{};                     ///< Of a number.
  std::vector<std::string> choices{};  ///< The allowed values of a choice; empty for a name.
  std::string meaning;
  std::string default_value{};  ///< As text; like value() at the declaration.

  /// The current value as text, in the form that set_parameter() accepts.
  std::string value() const;
  /// One of "whole number", "number", "yes or no", "choice", "name".
  std::string_view type() const;
  /// The allowed values: "1 to 64 cycles" or "a, b, c". Empty for a flag or a name.
  std::string range() const;
};

/// The parameters of a component and of its parts, in the order of their declaration. The functions
/// that declare a parameter throw std::logic_error if its name is already declared.
class Declarations {
 public:
  void number(std::string_view name, std::uint32_t& value, const Domain& domain,
              std::string_view meaning);
  void number(std::string_view name, std::uint64_t& value, const Domain& domain,
              std::string_view meaning);
  void number(std::string_view name, double& value, const Domain& domain, std::string_view meaning);
  void flag(std::string_view name, bool& value, std::string_view meaning);
  /// A parameter whose value is one of `choices`, such as the name of a policy.
  void choice(std::string_view name, std::string& value, std::vector<std::string> choices,
              std::string_view meaning);
  /// A parameter whose value names something that a description defines, such as a group. An empty
  /// name is allowed.
  void name(std::string_view name, std::string& value, std::string_view meaning);
  /// Declares the parameters of a part; their names get the prefix "name.".
  template <class Part>
  void part(std::string_view name, Part& part) {
    const std::string outer = prefix_;
    prefix_ += std::string(name) + ".";
    part.declare(*this);
    prefix_ = outer;
  }

  const std::vector<Parameter>& all() const { return parameters_; }
  /// Throws InputError if no parameter has that name; the message suggests the nearest one.
  const Parameter& find(std::string_view name) const;
  /// Whether the name of at least one parameter begins with "name.".
  bool has_part(std::string_view name) const;

 private:
  void declare(std::string_view name, Parameter::Target target, const Domain& domain,
               std::vector<std::string> choices, std::string_view meaning);

  std::string prefix_;
  std::vector<Parameter> parameters_;
};

}  // namespace heddle::config
