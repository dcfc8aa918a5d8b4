#pragma once

// Finished machine code: what a device loads and its multiprocessors execute.

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

/// A place in a variable's initial value that holds an address. The address is known only when the
/// program is loaded.
struct AddressInitialiser {
  std::uint64_t offset = 0;  ///< In the variable, in bytes.
  std::uint8_t bytes = 8;    ///< The number of bytes of the address that are stored.
  std::uint8_t shift = 0;    ///< PTX's mask(): the address is shifted right by this many bits.
  bool is_function = false;  ///< The address of a function rather than a variable.
  bool generic = false;      ///< A generic address rather than one in the variable's own space.
  std::uint32_t symbol = 0;  ///< The index of the variable or function in the program.
  std::int64_t addend = 0;
};

/// A variable of the program.
struct Variable {
  std::string name;
  VariableSpace space = VariableSpace::global;
  std::uint64_t size = 0;
  std::uint32_t alignment = 1;
  bool is_extern = false;           ///< Declared, but defined in no module of the program.
  bool visible = false;             ///< Other modules can refer to it.
  bool managed = false;             ///< __managed__: host and device share it.
  std::vector<std::uint8_t> bytes;  ///< Initial bytes; if shorter than `size`, zeros follow.
  std::vector<AddressInitialiser> addresses;  ///< The addresses in the initial value.
  std::uint32_t shared_offset = 0;            ///< Shared variables only: offset in shared memory.
};

/// A parameter of a function.
struct Parameter {
  std::string name;
  std::uint32_t offset = 0;  ///< In the parameter area, in bytes.
  std::uint32_t size = 0;
  std::uint32_t alignment = 1;
  ValueType type = ValueType::none;  ///< b8 for a structure.
};

/// A function of the program and the resources that it needs.
struct FunctionInfo {
  std::string name;
  bool is_kernel = false;
  bool is_extern = false;    ///< Declared, but defined in no module.
  std::uint32_t module = 0;  ///< Index into Program::modules.
  std::uint32_t entry = 0;   ///< Program counter of the first instruction.
  std::uint32_t end = 0;     ///< Program counter after the last instruction.
  std::uint32_t blocks = 0;  ///< The number of basic blocks.
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t registers = 0;  ///< The number per thread, for this function alone.
  std::uint32_t predicates = 0;
  /// The size of the stack frame of this function alone, including spill slots. A multiple of 16;
  /// at least 16 for a device function.
  std::uint32_t frame_bytes = 0;
  std::uint32_t spill_stores = 0;
  std::uint32_t spill_loads = 0;
  std::vector<std::uint32_t> callees;  ///< Indices into Program::functions.
  bool calls_indirectly = false;

  // The following apply to the function together with all functions that it can call.
  std::uint32_t registers_per_thread = 0;
  std::uint32_t predicates_per_thread = 0;
  /// The size of a thread's stack. If that is unbounded, each function of a recursive cycle counts
  /// once.
  std::uint32_t local_bytes = 0;
  bool stack_unbounded = false;  ///< Recursion or indirect calls: the launch's stack limit decides.
  std::uint32_t shared_bytes = 0;  ///< Static shared memory; dynamic shared memory follows it.
  /// The part of shared_bytes that CUDA reserves and does not count as the kernel's.
  std::uint32_t reserved_shared_bytes = 0;
  std::uint32_t constant_bytes = 0;
  std::uint32_t max_threads[3] = {0, 0, 0};       ///< .maxntid; 0: not stated.
  std::uint32_t required_threads[3] = {0, 0, 0};  ///< .reqntid; 0: not stated.
  std::uint32_t min_blocks_per_sm = 0;            ///< .minnctapersm; 0: not stated.
  /// Unsupported instructions of the function; for a kernel, also those of all functions that it
  /// can call.
  std::vector<Unsupported> unsupported;
};

/// A place in the CUDA source.
struct SourcePlace {
  std::uint32_t file = kNone;  ///< Index into Program::source_files.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t inlined_at = kNone;  ///< The inlined call: index into Program::source_lines.
};

struct ModuleInfo {
  std::string file;
};

/// Linked and compiled PTX modules.
struct Program {
  std::vector<ModuleInfo> modules;
  std::vector<Instruction> instructions;  ///< All functions' instructions, by program counter.
  /// By program counter: from which level of a hierarchy of register files the instruction reads
  /// its operands, and to which it writes its results. Empty if values were not placed.
  std::vector<InstructionPlacement> placement;
  /// The placements for each number of operand-file entries, if warps take a variable number from a
  /// shared pool. `placement` is the one for the maximum number.
  PooledPlacement pooled;
  std::vector<FunctionInfo> functions;
  std::vector<Variable> variables;
  std::vector<std::vector<std::uint32_t>> branch_tables;  ///< Each has its targets' counters.
  std::vector<std::string> source_files;
  std::vector<SourcePlace> source_lines;

  /// Null if the program has no kernel of this name.
  const FunctionInfo* find_kernel(const std::string& name) const;
  /// The function that contains the instruction; null if there is none.
  const FunctionInfo* function_at(std::uint32_t program_counter) const;
};

}  // namespace heddle::code
