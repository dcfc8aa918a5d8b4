#include "code/effects.h"

#include "code/operation_properties.h"

namespace heddle::code {
namespace {

/// The effects of an operation that only computes a function of its sources.
constexpr Effects kPure{.removable = true, .repeatable = true};
constexpr Effects kOrdered{.reads_memory = true, .writes_memory = true, .ordered = true};

bool changes_while_running(Special special) {
  switch (special) {
    case Special::clock:
    case Special::clock_high:
    case Special::clock64:
    case Special::global_timer:
    case Special::global_timer_low:
    case Special::global_timer_high:
    case Special::stack_pointer:
      return true;
    default:
      return false;
  }
}

Effects effects_of_special(Special special) {
  if (!changes_while_running(special)) return kPure;
  // Clock reads must stay in place, between the instructions that they measure.
  return special == Special::stack_pointer ? Effects{.removable = true}
                                           : Effects{.removable = true, .ordered = true};
}

Effects effects_of_load(const Instruction& instruction) {
  if (instruction.order != MemoryOrder::weak) return kOrdered;
  const bool is_constant = instruction.space == Space::constant ||
                           instruction.space == Space::parameter ||
                           instruction.cache == CacheOperator::non_coherent;
  return {.removable = true, .repeatable = is_constant, .reads_memory = !is_constant};
}

Effects effects_of_store(const Instruction& instruction) {
  if (instruction.order != MemoryOrder::weak) return kOrdered;
  return {.writes_memory = true};
}

}  // namespace

Effects effects_of(const Instruction& instruction) {
  switch (properties_of(instruction.operation).effects) {
    case EffectsClass::pure:
      return kPure;
    case EffectsClass::special:
      return effects_of_special(instruction.special);
    case EffectsClass::load:
      return effects_of_load(instruction);
    case EffectsClass::reads:
      return {.removable = true, .reads_memory = true};
    case EffectsClass::store:
      return effects_of_store(instruction);
    case EffectsClass::updates:
      return {.reads_memory = true, .writes_memory = true};
    case EffectsClass::hint:
      return {.reads_memory = true};
    case EffectsClass::active_lanes:
    case EffectsClass::across_lanes:
      return {};
    case EffectsClass::ordered:
    case EffectsClass::synchronises:
      return kOrdered;
  }
  return kOrdered;
}

bool is_terminator(const Instruction& instruction) {
  return instruction.operation == Operation::branch ||
         instruction.operation == Operation::branch_indexed || leaves_function(instruction);
}

bool ends_path(const Instruction& instruction) {
  return is_terminator(instruction) && !instruction.guard.present();
}

bool leaves_function(const Instruction& instruction) {
  return instruction.operation == Operation::ret || instruction.operation == Operation::exit ||
         instruction.operation == Operation::trap;
}

bool is_call(const Instruction& instruction) {
  return instruction.operation == Operation::call ||
         instruction.operation == Operation::call_indirect;
}

bool takes_any_operand(const Instruction& instruction, std::size_t index) {
  if (is_control(instruction.operation)) return false;
  // Register allocation makes these; their operands are always registers.
  if (instruction.operation == Operation::predicates_to_register ||
      instruction.operation == Operation::register_to_predicates) {
    return false;
  }
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::integer:
    case FunctionalClass::arithmetic:
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
    case FunctionalClass::function:
    case FunctionalClass::refined_function:
      return true;
    // Source 0 is the value that lanes exchange, except for elect: its source 0 is the mask.
    case FunctionalClass::exchange:
      return index > 0 || instruction.operation == Operation::elect;
    // Source 0 is the handle. It may be a kernel parameter, read as a launch constant.
    case FunctionalClass::texture:
    case FunctionalClass::texture_query:
    case FunctionalClass::surface:
      return index == 0;
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::atomic:
    case FunctionalClass::copy:
    case FunctionalClass::hint:
    case FunctionalClass::branch:
    case FunctionalClass::system_call:
    case FunctionalClass::barrier:
    case FunctionalClass::fence:
    case FunctionalClass::wait:
      return false;
  }
  return false;
}

}  // namespace heddle::code
