#pragma once

// A function between PTX and finished machine code: blocks of instructions over virtual registers.

#include <cstdint>
#include <string>
#include <vector>

#include "code/instruction.h"
#include "code/register_class.h"

namespace heddle::code {

using BlockIndex = std::uint32_t;

/// Control enters at the first instruction and leaves at the last: only the last may be a branch,
/// or an unguarded ret, exit or trap. Where the last lets control through (it is none of these, or
/// it is guarded), the next block in order follows.
struct BasicBlock {
  std::vector<Instruction> instructions;
  bool nounroll = false;  ///< A loop that begins here keeps its rounds.
};

struct VirtualRegister {
  std::uint8_t width = 1;  ///< 1 or 2 (4) 32-bit registers
};

struct Function {
  std::string name;
  bool is_kernel = false;
  std::uint32_t parameter_bytes = 0;  ///< A kernel's.
  std::vector<BasicBlock> blocks;     ///< The first is the entry.
  std::vector<VirtualRegister> registers;
  std::uint32_t predicates = 0;                        ///< How many virtual predicates there are.
  std::vector<std::vector<BlockIndex>> branch_tables;  ///< Targets of branch_indexed.
  /// The function's part of the thread's stack: its local variables and outgoing arguments; spill
  /// slots are added after it.
  std::uint32_t frame_bytes = 0;
  std::uint32_t max_registers = 0;  ///< .maxnreg and what .maxntid/.minnctapersm imply; 0: no limit

  std::uint32_t new_register(int width = 1) {
    registers.push_back({static_cast<std::uint8_t>(width)});
    return static_cast<std::uint32_t>(registers.size() - 1);
  }
  std::uint32_t new_predicate() { return predicates++; }
  /// Virtual registers of a class, and the 32-bit registers (or predicates) that one of them takes.
  std::uint32_t count_of(RegisterClass register_class) const {
    return register_class == RegisterClass::general ? static_cast<std::uint32_t>(registers.size())
                                                    : predicates;
  }
  std::uint32_t width_of(RegisterClass register_class, std::uint32_t index) const {
    return register_class == RegisterClass::general ? registers[index].width : 1;
  }
};

}  // namespace heddle::code
