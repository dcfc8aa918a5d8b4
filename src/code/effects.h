#pragma once

// What passes over machine code may do with an instruction.

#include <cstddef>

#include "code/instruction.h"

namespace heddle::code {

struct Effects {
  /// It does nothing but write its destinations: unread, it can go.
  bool removable = false;
  /// The same sources give the same result at any time: two of them can be one.
  bool repeatable = false;
  bool reads_memory = false;  ///< Memory that stores can change.
  bool writes_memory = false;
  /// Other instructions keep their place before or after it: control, barriers, fences, calls.
  bool ordered = false;
};

Effects effects_of(const Instruction& instruction);

/// May change where the control flow goes on: branches, ret, exit, trap.
bool is_terminator(const Instruction& instruction);
/// Control never goes on after it.
bool ends_path(const Instruction& instruction);
/// ret, exit or trap.
bool leaves_function(const Instruction& instruction);
/// call or call_indirect: the callee may overwrite every register.
bool is_call(const Instruction& instruction);

/// What its destinations held before may still be read after it, in the lanes its guard excludes.
inline bool keeps_old_values(const Instruction& instruction) {
  return instruction.guard.present() && !instruction.writes_whole;
}

/// Whether source `index` may be an immediate, a launch constant or a variable's address in place
/// of a register. Addresses and data of memory instructions are registers.
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
