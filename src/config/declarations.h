#pragma once

// What a description may say. A component declares each of its parameters once, beside the code
// that uses it; reading, checking, listing and writing down all go by these declarations.
//
//   struct CacheDescription {
//     std::uint64_t bytes = 16384;
//     void declare(config::Declarations& parameters) {
//       parameters.number("bytes", bytes, {.unit = "B", .least = 64, .most = 1 << 30},
//                         "the data that it holds");
//     }
//   };

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::config {

/// What a number may be.
struct Domain {
  std::string_view unit = {};  ///< "cycles", "B"; none for a plain count.
  double least = 0;
  double most = 4294967295.0;
};

/// One declared parameter, bound to the variable that holds it. Its value when it was declared is
/// the default.
struct Parameter {
  using Target = std::variant<std::uint32_t*, std::uint64_t*, double*, bool*, std::string*>;

  std::string name;  ///< With its sections: "l1.bytes".
  Target target;
  Domain domain{};                     ///< Of a number.
  std::vector<std::string> choices{};  ///< Of a choice; none of a name.
  std::string meaning;
  std::string default_value{};

  /// The value as assign() takes it.
  std::string value() const;
  /// "whole number", "number", "yes or no", "choice", "name".
  std::string_view type() const;
  /// "1 to 64 cycles", "a, b, c"; nothing where there is nothing to say.
  std::string range() const;
};

/// The parameters of a component and of its parts, in order of their declaration.
class Declarations {
 public:
  void number(std::string_view name, std::uint32_t& value, const Domain& domain,
              std::string_view meaning);
  void number(std::string_view name, std::uint64_t& value, const Domain& domain,
              std::string_view meaning);
  void number(std::string_view name, double& value, const Domain& domain, std::string_view meaning);
  void flag(std::string_view name, bool& value, std::string_view meaning);
  /// One of several names: a policy.
  void choice(std::string_view name, std::string& value, std::vector<std::string> choices,
              std::string_view meaning);
  /// What a description calls something of its own, a group say; empty: nothing.
  void name(std::string_view name, std::string& value, std::string_view meaning);
  /// A part with parameters of its own: its names stand after "name.".
  template <class Part>
  void part(std::string_view name, Part& part) {
    const std::string outer = prefix_;
    prefix_ += std::string(name) + ".";
    part.declare(*this);
    prefix_ = outer;
  }

  const std::vector<Parameter>& all() const { return parameters_; }
  /// Throws InputError, naming the nearest, where there is none of that name.
  const Parameter& find(std::string_view name) const;
  /// Whether parameters begin with "name.".
  bool has_part(std::string_view name) const;

 private:
  void declare(std::string_view name, Parameter::Target target, const Domain& domain,
               std::vector<std::string> choices, std::string_view meaning);

  std::string prefix_;
  std::vector<Parameter> parameters_;
};

}  // namespace heddle::config
