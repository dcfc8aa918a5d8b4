#pragma once

// The compiler's intermediate form of a function: basic blocks over virtual registers. Register
// allocation replaces these by physical registers, in the same Function.

#include <cstdint>
#include <string>
#include <vector>

#include "code/instruction.h"
#include "code/register_class.h"

namespace heddle::code {

using BlockIndex = std::uint32_t;

/// A basic block: control enters at the first instruction and leaves after the last. Only the last
/// one may be a branch, or an unguarded ret, exit or trap. If the last one is guarded, or is
/// another instruction, control can fall through to the next block in order.
struct BasicBlock {
  std::vector<Instruction> instructions;
  bool nounroll = false;  ///< PTX's .pragma "nounroll": a loop that begins here is not unrolled.
};

struct VirtualRegister {
  std::uint8_t width = 1;  ///< The number of 32-bit registers: 1, 2 or 4.
};

/// A function during compilation.
struct Function {
  std::string name;
  bool is_kernel = false;
  std::uint32_t parameter_bytes = 0;  ///< Kernels only.
  std::vector<BasicBlock> blocks;     ///< The first is the entry.
  std::vector<VirtualRegister> registers;
  std::uint32_t predicates = 0;                        ///< The number of virtual predicates.
  std::vector<std::vector<BlockIndex>> branch_tables;  ///< The targets of each branch_indexed.
  /// The function's stack frame: its local variables and outgoing arguments. Register allocation
  /// appends spill slots.
  std::uint32_t frame_bytes = 0;
  /// The maximum number of registers per thread: .maxnreg, or what .maxntid and .minnctapersm
  /// imply. 0: no limit.
  std::uint32_t max_registers = 0;

  /// Adds a virtual register and returns its index.
  std::uint32_t new_register(int width = 1) {
    registers.push_back({static_cast<std::uint8_t>(width)});
    return static_cast<std::uint32_t>(registers.size() - 1);
  }
  std::uint32_t new_predicate() { return predicates++; }
  /// The number of virtual registers of a class.
  std::uint32_t count_of(RegisterClass register_class) const {
    return register_class == RegisterClass::general ? static_cast<std::uint32_t>(registers.size())
                                                    : predicates;
  }
  /// The number of 32-bit registers (or predicates) that a virtual register takes.
  std::uint32_t width_of(RegisterClass register_class, std::uint32_t index) const {
    return register_class == RegisterClass::general ? registers[index].width : 1;
  }
};

}  // namespace heddle::code
