#pragma once

// Finished machine code: what a device loads and a simulated core executes.

#include <cstdint>
#include <string>
#include <vector>

#include "base/value_type.h"
#include "code/instruction.h"
#include "code/placement/placement.h"
#include "code/placement/pooled.h"
#include "code/unsupported.h"

namespace heddle::code {

enum class VariableSpace : std::uint8_t { global, constant, shared, local };

/// A word of an initialiser that holds an address which only loading decides.
struct AddressInitialiser {
  std::uint64_t offset = 0;  ///< In the variable.
  std::uint8_t bytes = 8;
  std::uint8_t shift = 0;  ///< mask(): the address is shifted right by this many bits.
  bool is_function = false;
  bool generic = false;
  std::uint32_t symbol = 0;  ///< Variable or function of the program.
  std::int64_t addend = 0;
};

struct Variable {
  std::string name;
  VariableSpace space = VariableSpace::global;
  std::uint64_t size = 0;
  std::uint32_t alignment = 1;
  bool is_extern = false;  ///< Declared here, not defined in any module of the program.
  bool visible = false;
  bool managed = false;
  std::vector<std::uint8_t> bytes;  ///< Shorter than `size` means that the rest is zero.
  std::vector<AddressInitialiser> addresses;
  std::uint32_t shared_offset = 0;  ///< space shared: in the block's shared memory.
};

struct Parameter {
  std::string name;
  std::uint32_t offset = 0;  ///< In the parameter area.
  std::uint32_t size = 0;
  std::uint32_t alignment = 1;
  ValueType type = ValueType::none;  ///< b8 for a structure.
};

struct FunctionInfo {
  std::string name;
  bool is_kernel = false;
  bool is_extern = false;    ///< Declared, defined nowhere.
  std::uint32_t module = 0;  ///< Index into Program::modules.
  std::uint32_t entry = 0;   ///< Program counter of the first instruction.
  std::uint32_t end = 0;     ///< One past the last.
  std::uint32_t blocks = 0;  ///< Basic blocks.
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t registers = 0;  ///< Of this function alone.
  std::uint32_t predicates = 0;
  /// Of this function alone, spill slots included; a multiple of 16, at least 16 where it is
  /// called.
  std::uint32_t frame_bytes = 0;
  std::uint32_t spill_stores = 0;
  std::uint32_t spill_loads = 0;
  std::vector<std::uint32_t> callees;
  bool calls_indirectly = false;

  // With everything it can reach:
  std::uint32_t registers_per_thread = 0;
  std::uint32_t predicates_per_thread = 0;
  std::uint32_t local_bytes = 0;  ///< A thread's stack; where unbounded: without the recursion.
  bool stack_unbounded = false;  ///< Recursion or indirect calls: the launch's stack limit decides.
  std::uint32_t shared_bytes = 0;  ///< Static; dynamic shared memory lies after it.
  std::uint32_t constant_bytes = 0;
  std::uint32_t max_threads[3] = {0, 0, 0};
  std::uint32_t required_threads[3] = {0, 0, 0};
  std::uint32_t min_blocks_per_sm = 0;
  std::vector<Unsupported> unsupported;  ///< Its own; a kernel's also those of all it can reach.
};

struct SourcePlace {
  std::uint32_t file = kNone;  ///< Index into Program::source_files.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t inlined_at = kNone;  ///< Index into Program::source_lines.
};

struct ModuleInfo {
  std::string file;
};

struct Program {
  std::vector<ModuleInfo> modules;
  std::vector<Instruction> instructions;  ///< All functions', one after another.
  /// Of each instruction, where the code was placed in a hierarchy of register files; else empty.
  std::vector<InstructionPlacement> placement;
  /// Likewise, where warps have more or fewer entries; `placement` is that with the most.
  PooledPlacement pooled;
  std::vector<FunctionInfo> functions;
  std::vector<Variable> variables;
  std::vector<std::vector<std::uint32_t>> branch_tables;  ///< Program counters.
  std::vector<std::string> source_files;
  std::vector<SourcePlace> source_lines;

  const FunctionInfo* find_kernel(const std::string& name) const;
  const FunctionInfo* function_at(std::uint32_t program_counter) const;
};

}  // namespace heddle::code
