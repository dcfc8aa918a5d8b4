#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "ptx/context.h"

namespace heddle::ptx {

/// The registers of the function being parsed. A declaration such as `%r<1000>` (parameterized
/// names in PTX) declares a family: the registers %r0 to %r999. Each is created at its first use.
class Registers {
 public:
  explicit Registers(Context& context) : context_(context) {}

  /// Removes the registers of the previous function.
  void clear();
  /// Parses a declaration after `.reg`, up to and including the ';'.
  void parse_declaration();
  /// Creates a register or, if `vector` is 2 or 4, the elements of a vector register. Returns the
  /// index of the first.
  RegisterIndex make(std::string_view name, ValueType type, std::uint32_t vector);

  /// A register, or the consecutive elements of a vector register.
  struct Range {
    RegisterIndex first = kNoIndex;
    std::uint32_t vector = 1;  ///< Number of elements.
  };
  /// The register with this name; empty if there is none. If the register's number is out of its
  /// family's range, reports that error and sets `is_reported`.
  std::optional<Range> find(const Token& name, bool& is_reported);

 private:
  /// Parses one register or family of a declaration. Returns false after an error.
  bool parse_one(ValueType type, std::uint32_t vector);

  Context& context_;
  std::uint32_t family_count_ = 0;  ///< Number of declared families.
  /// The created registers of families. The key has the family's index in its upper 32 bits and the
  /// register's number in its lower 32 bits.
  std::unordered_map<std::uint64_t, RegisterIndex> members_;
};

}  // namespace heddle::ptx
