#pragma once

// Linking: finds the definition of each name in each module.

#include <cstdint>
#include <vector>

#include "code/program.h"
#include "ptx/module.h"

namespace heddle::code {

/// A function or a variable of a PTX module.
struct SymbolPlace {
  std::uint32_t module = kNone;
  std::uint32_t index = kNone;
};

/// Entries of Linked::variables for PTX variables that are not variables of the program.
/// Parameters, registers and local variables belong to a function (kNotLinked). Dynamic shared
/// memory has no fixed address (kDynamicShared).
inline constexpr std::uint32_t kNotLinked = kNone;
inline constexpr std::uint32_t kDynamicShared = kNone - 1;

struct Linked {
  /// The program without code: modules, functions, variables with initial values, source lines.
  Program program;
  std::vector<std::vector<std::uint32_t>> functions;  ///< [module][PTX function]: program index.
  std::vector<std::vector<std::uint32_t>> variables;  ///< [module][PTX variable]: program index.
  /// By function of the program: its definition, or a declaration if it is extern.
  std::vector<SymbolPlace> definitions;
  /// By module: the index of its first line in Program::source_lines.
  std::vector<std::uint32_t> first_source_line;
};

/// Throws InputError if modules contradict each other.
Linked link(const std::vector<ptx::Module>& modules);

}  // namespace heddle::code
