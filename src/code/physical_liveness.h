#pragma once

// Liveness over allocated code, word by word: what must survive a call, and what is read last.

#include <bitset>
#include <cstdint>
#include <vector>

#include "code/control_flow.h"
#include "code/function.h"

namespace heddle::code {

/// Physical registers, then predicates.
struct LiveSet {
  static constexpr std::uint32_t kRegisters = 256;
  static constexpr std::uint32_t kPredicates = 16;
  std::bitset<kRegisters + kPredicates> bits;

  bool has_register(std::uint32_t index) const { return bits[index]; }
  bool has_predicate(std::uint32_t index) const { return bits[kRegisters + index]; }
  void add(const Operand& operand);
  void remove(const Operand& operand);
  bool has_any_of(const Operand& operand) const;
};

/// What is live before each block.
std::vector<LiveSet> live_into_blocks(const Function& function, const Graph& control_flow);

/// What is live after a block's end, given what is live into the blocks.
LiveSet live_out_of(const Graph& control_flow, const std::vector<LiveSet>& live_in,
                    BlockIndex block);

/// From what is live after an instruction to what is live before it.
void step_back(const Instruction& instruction, LiveSet& live);

/// Sets Operand::last_use on the sources of allocated code.
void mark_last_uses(Function& function);

}  // namespace heddle::code
