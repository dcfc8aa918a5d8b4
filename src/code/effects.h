#pragma once

// Side effects of instructions, which decide what compiler passes may do with them.

#include <cstddef>

#include "code/instruction.h"

namespace heddle::code {

/// What a compiler pass needs to know about an instruction.
struct Effects {
  /// The instruction only writes its destinations, so it can be removed if nothing reads them.
  bool removable = false;
  /// The same sources always give the same result, so equal instructions can be merged.
  bool repeatable = false;
  bool reads_memory = false;  ///< It reads memory that stores can change.
  bool writes_memory = false;
  /// No instruction may be moved across it: branches, calls, barriers, fences.
  bool ordered = false;
};

Effects effects_of(const Instruction& instruction);

/// Whether an instruction can redirect control flow: branches, ret, exit, trap.
bool is_terminator(const Instruction& instruction);
/// Whether control never continues to the next instruction: an unguarded terminator.
bool ends_path(const Instruction& instruction);
/// Whether an instruction is ret, exit or trap.
bool leaves_function(const Instruction& instruction);
/// Whether an instruction is call or call_indirect. The callee may overwrite every register.
bool is_call(const Instruction& instruction);

/// Whether the old values of an instruction's destinations may still be read in the lanes that its
/// guard excludes.
inline bool keeps_old_values(const Instruction& instruction) {
  return instruction.guard.present() && !instruction.writes_whole;
}

/// Whether source `index` may be an immediate, a launch constant or a variable's address instead of
/// a register. Addresses and data of memory instructions must be registers.
bool takes_any_operand(const Instruction& instruction, std::size_t index);

/// Calls visit(operand) for every register and predicate that is read, except the guard.
template <class AnyInstruction, class Visit>
void for_each_read(AnyInstruction& instruction, Visit&& visit) {
  for (auto& operand : instruction.sources) {
    if (operand.is_register() || operand.is_predicate()) visit(operand);
  }
}

/// Calls visit(operand) for every register and predicate that is written.
template <class AnyInstruction, class Visit>
void for_each_written(AnyInstruction& instruction, Visit&& visit) {
  for (auto& operand : instruction.destinations) {
    if (operand.is_register() || operand.is_predicate()) visit(operand);
  }
}

}  // namespace heddle::code
