#pragma once

#include <optional>
#include <vector>

#include "ptx/context.h"

namespace heddle::ptx {

// More than any device's memory, and far from where sums of sizes would overflow.
inline constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 40;

/// What stands between the state space and the name of a declaration.
struct DeclaredType {
  ValueType type = ValueType::none;
  std::uint32_t vector = 1;
  std::uint32_t alignment = 0;  ///< 0: not given
  bool managed = false;
  bool pointer = false;
};

/// The state space that a suffix names; `none` where it names none.
StateSpace state_space_of(std::string_view suffix);

/// Reads `.align`, `.v4`, the type, `.attribute` and `.ptr`, in any order.
std::optional<DeclaredType> parse_declared_type(TokenStream& tokens, StateSpace space);

/// Reads `.attribute(...)`, whose suffix has been taken. False where it is broken.
bool parse_attribute(TokenStream& tokens, bool& managed);

/// Reads one declarator: the name, the extents of an array. The variable is not in the module yet.
struct Declarator {
  Token name;
  Variable variable;
  std::vector<std::uint64_t> extents;  ///< 0: `[]`
};
std::optional<Declarator> parse_declarator(Context& context, StateSpace space,
                                           const DeclaredType& type);

/// Reads a declaration of variables after its state space, with the ';'.
void parse_variables(Context& context, StateSpace space, Linkage linkage);

/// Reads the initialiser of a variable, after the '='. Sets the size of a `[]` array.
bool parse_initialiser(Context& context, Declarator& declarator);

}  // namespace heddle::ptx
