#include "exec/system/chip_wide.h"

namespace heddle::exec {

bool is_chip_wide(const code::Instruction& instruction) {
  switch (instruction.operation) {
    // The device's heap, and its output, which has one order.
    case code::Operation::system_call:
    // Texels are written where they are.
    case code::Operation::surface_store:
    case code::Operation::surface_reduce:
    // It reads global memory itself.
    case code::Operation::copy_async:
      return true;
    case code::Operation::atomic:
      return instruction.vector_count > 1;
    default:
      return false;
  }
}

}  // namespace heddle::exec
