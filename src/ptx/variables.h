#pragma once

#include <optional>
#include <vector>

#include "ptx/context.h"

namespace heddle::ptx {

/// The maximum size of a variable in bytes. It is larger than any device's memory, and small enough
/// that sums of sizes do not overflow.
inline constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 40;

/// The part of a declaration between the state space and the first name.
struct DeclaredType {
  ValueType type = ValueType::none;
  std::uint32_t vector = 1;     ///< Number of elements of a vector type.
  std::uint32_t alignment = 0;  ///< In bytes; 0 if not stated.
  bool managed = false;         ///< .attribute(.managed)
  bool pointer = false;         ///< .ptr
};

/// The state space that a suffix names, dot included; `none` for any other suffix.
StateSpace state_space_of(std::string_view suffix);

/// Parses `.align`, `.v4`, the type, `.attribute` and `.ptr`, in any order. Empty after an error.
std::optional<DeclaredType> parse_declared_type(TokenStream& tokens, StateSpace space);

/// Parses the rest of `.attribute(...)`. Sets `managed` if the attribute is `.managed`. Returns
/// false after an error.
bool parse_attribute(TokenStream& tokens, bool& managed);

/// A declared name with the extents of an array. The variable is not in the module yet.
struct Declarator {
  Token name;
  Variable variable;
  std::vector<std::uint64_t> extents;  ///< Of the dimensions; 0 for `[]`.
};
/// Parses a declarator. Empty after an error.
std::optional<Declarator> parse_declarator(Context& context, StateSpace space,
                                           const DeclaredType& type);

/// Parses a declaration of variables after its state space, up to and including the ';'.
void parse_variables(Context& context, StateSpace space, Linkage linkage);

/// Parses the initialiser of a variable, after the '='. Sets the size of an array that was declared
/// with `[]`. Returns false after an error.
bool parse_initialiser(Context& context, Declarator& declarator);

}  // namespace heddle::ptx
