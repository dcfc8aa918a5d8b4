#pragma once

// Linking: finds the definition of each name that a module uses.

#include <cstdint>
#include <vector>

#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code {

/// The place of a function or variable in the PTX modules.
struct SymbolPlace {
  std::uint32_t module = kNone;
  std::uint32_t index = kNone;  ///< Index into the module's functions or variables.
};

/// Entries of Linked::variables for PTX variables that are no variables of the program.
/// Parameters, registers and local variables belong to a function (kNotLinked). Dynamic shared
/// memory has no fixed address (kDynamicShared).
inline constexpr std::uint32_t kNotLinked = kNone;
inline constexpr std::uint32_t kDynamicShared = kNone - 1;

/// The result of linking.
struct Linked {
  /// The program without code: modules, functions, variables with initial values, source lines.
  Program program;
  /// By module, then by PTX function: its index in Program::functions.
  std::vector<std::vector<std::uint32_t>> functions;
  /// By module, then by PTX variable: its index in Program::variables, kNotLinked or
  /// kDynamicShared.
  std::vector<std::vector<std::uint32_t>> variables;
  /// By function of the program: its definition, or a declaration if no module defines it.
  std::vector<SymbolPlace> definitions;
  /// By module: the index of its first line in Program::source_lines.
  std::vector<std::uint32_t> first_source_line;
};

/// Links the modules. Throws InputError if they contradict each other, as with two strong
/// definitions of one name.
Linked link(const std::vector<ptx::Module>& modules);

}  // namespace heddle::code
