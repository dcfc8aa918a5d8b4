#include "code/instruction_class.h"

namespace heddle::code {

InstructionClass class_of(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::rcp:
    case Operation::sqrt:
    case Operation::rsqrt:
    case Operation::sin:
    case Operation::cos:
    case Operation::lg2:
    case Operation::ex2:
    case Operation::tanh:
      return InstructionClass::special_function;
    case Operation::div:
      return is_floating(instruction.type) ? InstructionClass::special_function
                                           : InstructionClass::arithmetic;
    case Operation::load:
    case Operation::store:
    case Operation::load_local_slot:
    case Operation::store_local_slot:
    case Operation::atomic:
    case Operation::prefetch:
    case Operation::copy_async:
    case Operation::texture:
    case Operation::texture_query:
    case Operation::surface_load:
    case Operation::surface_store:
    case Operation::surface_reduce:
      return InstructionClass::memory;
    case Operation::branch:
    case Operation::branch_indexed:
    case Operation::call:
    case Operation::call_indirect:
    case Operation::ret:
    case Operation::exit:
    case Operation::trap:
    case Operation::breakpoint:
    case Operation::system_call:
      return InstructionClass::branch;
    case Operation::barrier:
    case Operation::warp_sync:
    case Operation::fence:
    case Operation::copy_async_wait:
    case Operation::nanosleep:
      return InstructionClass::synchronisation;
    default:
      return InstructionClass::arithmetic;
  }
}

std::string_view name_of(InstructionClass instruction_class) {
  switch (instruction_class) {
    case InstructionClass::arithmetic:
      return "arithmetic";
    case InstructionClass::special_function:
      return "special_function";
    case InstructionClass::memory:
      return "memory";
    case InstructionClass::branch:
      return "branch";
    case InstructionClass::synchronisation:
      return "synchronisation";
  }
  return "";
}

}  // namespace heddle::code
