#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "ptx/context.h"

namespace heddle::ptx {

/// The registers of the function that is being read. Those that the text declares in bulk
/// (`%r<1000>`) come to be when they are first used.
class Registers {
 public:
  explicit Registers(Context& context) : context_(context) {}

  /// Forgets those of the function before.
  void clear();
  /// Reads what follows `.reg`, with the ';'.
  void parse_declaration();
  /// Makes a register of that name; for a vector register its elements. The first of them.
  RegisterIndex make(std::string_view name, ValueType type, std::uint32_t vector);

  struct Found {
    RegisterIndex first = kNoIndex;
    std::uint32_t vector = 1;
  };
  /// The register of a name. Nothing where the name means no register, or, with `reported` set, one
  /// that its family does not have.
  std::optional<Found> find(const Token& name, bool& reported);

 private:
  bool parse_one(ValueType type, std::uint32_t vector);

  Context& context_;
  std::uint32_t families_ = 0;
  /// The registers in use, by family and number.
  std::unordered_map<std::uint64_t, RegisterIndex> members_;
};

}  // namespace heddle::ptx
