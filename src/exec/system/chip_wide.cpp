#include "exec/system/chip_wide.h"

#include "code/effects.h"
#include "code/operation_properties.h"

namespace heddle::exec {

bool is_chip_wide(const code::Instruction& instruction) {
  using code::FunctionalClass;
  switch (properties_of(instruction.operation).functional_class) {
    // System calls use the device's heap and its output, whose order all multiprocessors share.
    case FunctionalClass::system_call:
    // Asynchronous copies read global memory without searching EpochStores.
    case FunctionalClass::copy:
      return true;
    // Surface stores and reductions write texels directly to memory, not to EpochStores.
    case FunctionalClass::surface:
      return code::effects_of(instruction).writes_memory;
    // DeferredAtomic captures only atomics with one element.
    case FunctionalClass::atomic:
      return instruction.vector_count > 1;
    case FunctionalClass::integer:
    case FunctionalClass::arithmetic:
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
    case FunctionalClass::function:
    case FunctionalClass::refined_function:
    case FunctionalClass::exchange:
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::texture:
    case FunctionalClass::texture_query:
    case FunctionalClass::hint:
    case FunctionalClass::branch:
    case FunctionalClass::barrier:
    case FunctionalClass::fence:
    case FunctionalClass::wait:
      return false;
  }
  return true;
}

}  // namespace heddle::exec
