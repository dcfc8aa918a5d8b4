#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "ptx/context.h"

namespace heddle::ptx {

/// The registers of the function being parsed. A register of a family (`%r<1000>`, PTX's
/// parameterized names) is created when it is first used.
class Registers {
 public:
  explicit Registers(Context& context) : context_(context) {}

  /// Removes the registers of the previous function.
  void clear();
  /// Parses a declaration after `.reg`, up to and including the ';'.
  void parse_declaration();
  /// Creates a register, or the elements of a vector register. Returns the first.
  RegisterIndex make(std::string_view name, ValueType type, std::uint32_t vector);

  struct Found {
    RegisterIndex first = kNoIndex;
    std::uint32_t vector = 1;
  };
  /// The register of a name; nothing if the name is not a register. If the register's number is out
  /// of its family's range, reports that, sets `reported`, and returns nothing.
  std::optional<Found> find(const Token& name, bool& reported);

 private:
  bool parse_one(ValueType type, std::uint32_t vector);

  Context& context_;
  std::uint32_t families_ = 0;  ///< The number of declared families.
  /// The created registers, by family and number.
  std::unordered_map<std::uint64_t, RegisterIndex> members_;
};

}  // namespace heddle::ptx
