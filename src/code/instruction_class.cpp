#include "code/instruction_class.h"

#include "code/operation_properties.h"

namespace heddle::code {

InstructionClass class_of(const Instruction& instruction) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::integer:
    case FunctionalClass::arithmetic:
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
    case FunctionalClass::exchange:
      return InstructionClass::arithmetic;
    case FunctionalClass::function:
      return InstructionClass::special_function;
    case FunctionalClass::refined_function:
      return is_floating(instruction.type) ? InstructionClass::special_function
                                           : InstructionClass::arithmetic;
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::atomic:
    case FunctionalClass::copy:
    case FunctionalClass::texture:
    case FunctionalClass::texture_query:
    case FunctionalClass::surface:
    case FunctionalClass::hint:
      return InstructionClass::memory;
    case FunctionalClass::branch:
    case FunctionalClass::system_call:
      return InstructionClass::branch;
    case FunctionalClass::barrier:
    case FunctionalClass::fence:
    case FunctionalClass::wait:
      return InstructionClass::synchronisation;
  }
  return InstructionClass::arithmetic;
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
