#pragma once

// Liveness of physical registers in allocated code. It determines which registers must be saved
// across a call, and which reads of a register are the last ones.

#include <bitset>
#include <cstdint>
#include <vector>

#include "code/control_flow.h"
#include "code/function.h"

namespace heddle::code {

/// A set of physical registers and predicates.
struct LiveSet {
  // More than a thread can have.
  static constexpr std::uint32_t kRegisters = 256;
  static constexpr std::uint32_t kPredicates = 16;
  std::bitset<kRegisters + kPredicates> bits;

  bool has_register(std::uint32_t index) const { return bits[index]; }
  bool has_predicate(std::uint32_t index) const { return bits[kRegisters + index]; }
  void add(const Operand& operand);
  void remove(const Operand& operand);
  bool has_any_of(const Operand& operand) const;
};

/// By block: the registers and predicates that are live at its entry.
std::vector<LiveSet> live_into_blocks(const Function& function, const Graph& control_flow);

/// The registers and predicates that are live at a block's exit. `live_in` has those at each
/// block's entry.
LiveSet live_out_of(const Graph& control_flow, const std::vector<LiveSet>& live_in,
                    BlockIndex block);

/// Updates `live` from the point after an instruction to the point before it.
void step_back(const Instruction& instruction, LiveSet& live);

/// Sets Operand::last_use on the sources of allocated code.
void mark_last_uses(Function& function);

}  // namespace heddle::code
