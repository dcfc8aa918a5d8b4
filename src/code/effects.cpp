#include "code/effects.h"

namespace heddle::code {
namespace {

/// What a plain function of its sources is.
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

Effects effects_of_load(const Instruction& instruction) {
  if (instruction.order != MemoryOrder::weak) return kOrdered;
  const bool unchanging = instruction.space == Space::constant ||
                          instruction.space == Space::parameter ||
                          instruction.cache == CacheOperator::non_coherent;
  return {.removable = true, .repeatable = unchanging, .reads_memory = !unchanging};
}

}  // namespace

Effects effects_of(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::read_special:
      if (!changes_while_running(instruction.special)) return kPure;
      // A clock is read where the program reads it: between what it is to measure.
      return instruction.special == Special::stack_pointer
                 ? Effects{.removable = true}
                 : Effects{.removable = true, .ordered = true};
    case Operation::load:
      return effects_of_load(instruction);
    case Operation::load_local_slot:
      return {.removable = true, .reads_memory = true};
    case Operation::store:
    case Operation::store_local_slot:
      if (instruction.order != MemoryOrder::weak) return kOrdered;
      return {.writes_memory = true};
    case Operation::atomic:
      return {.reads_memory = true, .writes_memory = true};
    case Operation::texture:
    case Operation::surface_load:
      return {.removable = true, .reads_memory = true};
    case Operation::texture_query:
      return kPure;
    case Operation::surface_store:
    case Operation::surface_reduce:
    case Operation::copy_async:
      return {.reads_memory = true, .writes_memory = true};
    case Operation::prefetch:
      return {.reads_memory = true};
    case Operation::copy_async_wait:
    case Operation::fence:
      return kOrdered;
    case Operation::shfl:
    case Operation::vote:
    case Operation::match:
    case Operation::activemask:
    case Operation::redux:
    case Operation::elect:
      // They depend on which lanes are here, and synchronise them.
      return {};
    case Operation::predicates_to_register:
    case Operation::register_to_predicates:
      return kPure;
    default:
      return is_control(instruction.operation) ? kOrdered : kPure;
  }
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
  switch (instruction.operation) {
    case Operation::load:
    case Operation::store:
    case Operation::load_local_slot:
    case Operation::store_local_slot:
    case Operation::atomic:
    case Operation::prefetch:
    case Operation::copy_async:
    case Operation::copy_async_wait:
    case Operation::texture:
    case Operation::texture_query:
    case Operation::surface_load:
    case Operation::surface_store:
    case Operation::surface_reduce:
      return false;
    case Operation::shfl:
      return index > 0;
    case Operation::vote:
    case Operation::match:
    case Operation::redux:
      return index > 0;
    case Operation::elect:
      return true;
    case Operation::predicates_to_register:
    case Operation::register_to_predicates:
      return false;
    default:
      return !is_control(instruction.operation);
  }
}

}  // namespace heddle::code
