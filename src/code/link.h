#pragma once

// Linking: finds the definition of each name that a module uses.

#include <cstdint>
#include <unordered_map>
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

/// The size of the shared memory that CUDA reserves in each block, and where in it region 1 begins
/// (%reserved_smem_offset_1). Region 0 is at the beginning.
inline constexpr std::uint32_t kReservedSharedBytes = 1024;
inline constexpr std::uint32_t kReservedSharedRegion1 = 512;

/// The result of linking.
struct Linked {
  /// The program without code: modules, functions, variables with initial values, source lines.
  Program program;
  /// By module, then by PTX function: its index in Program::functions.
  std::vector<std::vector<std::uint32_t>> functions;
  /// By module, then by PTX variable: its index in Program::variables, kNotLinked or
  /// kDynamicShared.
  std::vector<std::vector<std::uint32_t>> variables;
  /// By module, then by PTX variable: the place of a local variable that is declared outside of
  /// functions. It is the same for all functions: a number of bytes from the beginning of the
  /// thread's local memory.
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> module_locals;
  /// The size of all these variables. The frames of kernels begin after them.
  std::uint32_t module_local_bytes = 0;
  /// By function of the program: its definition, or a declaration if no module defines it.
  std::vector<SymbolPlace> definitions;
  /// The memory at %reserved_smem_offset_begin: index in Program::variables; kNone if no module
  /// names it.
  std::uint32_t reserved_shared_memory = kNone;
  /// By module: the index of its first line in Program::source_lines.
  std::vector<std::uint32_t> first_source_line;
};

/// Links the modules. Throws InputError if they contradict each other, as with two strong
/// definitions of one name.
Linked link(const std::vector<ptx::Module>& modules);

}  // namespace heddle::code
