#pragma once

// Linking: which definition each name of each module stands for.

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

/// What a variable of a module stands for where it is not a variable of the program: parameters,
/// registers and local variables belong to a function; dynamic shared memory has no fixed place.
inline constexpr std::uint32_t kNotLinked = kNone;
inline constexpr std::uint32_t kDynamicShared = kNone - 1;

struct Linked {
  /// Everything but code: modules, functions, variables with their initial values, source lines.
  Program program;
  std::vector<std::vector<std::uint32_t>> functions;  ///< [module][ptx function]: of the program.
  std::vector<std::vector<std::uint32_t>> variables;  ///< [module][ptx variable]: of the program.
  std::vector<SymbolPlace> definitions;  ///< By function of the program; a declaration if extern.
  std::vector<std::uint32_t>
      first_source_line;  ///< [module]: where its lines stand in the program.
};

/// Throws InputError where modules contradict each other.
Linked link(const std::vector<ptx::Module>& modules);

}  // namespace heddle::code
