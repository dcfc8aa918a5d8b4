#pragma once

#include <optional>
#include <vector>

#include "ptx/context.h"

namespace heddle::ptx {

// The largest size of a variable in bytes: more than any device's memory, and small enough that
// sums of sizes do not overflow.
inline constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 40;

/// The part of a declaration between the state space and the name.
struct DeclaredType {
  ValueType type = ValueType::none;
  std::uint32_t vector = 1;
  std::uint32_t alignment = 0;  ///< 0: not given
  bool managed = false;
  bool pointer = false;
};

/// The state space that a suffix names; `none` if it is another suffix.
StateSpace state_space_of(std::string_view suffix);

/// Parses `.align`, `.v4`, the type, `.attribute` and `.ptr`, in any order.
std::optional<DeclaredType> parse_declared_type(TokenStream& tokens, StateSpace space);

/// Parses `.attribute(...)` after the suffix has been taken. False after an error.
bool parse_attribute(TokenStream& tokens, bool& managed);

/// One declarator: the name and the extents of an array. The variable is not in the module yet.
struct Declarator {
  Token name;
  Variable variable;
  std::vector<std::uint64_t> extents;  ///< 0: `[]`
};
std::optional<Declarator> parse_declarator(Context& context, StateSpace space,
                                           const DeclaredType& type);

/// Parses a declaration of variables after its state space, up to and including the ';'.
void parse_variables(Context& context, StateSpace space, Linkage linkage);

/// Parses the initialiser of a variable, after the '='. Sets the size of a `[]` array.
bool parse_initialiser(Context& context, Declarator& declarator);

}  // namespace heddle::ptx
