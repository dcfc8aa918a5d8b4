#include "code/allocate/scratch.h"

#include "code/operation_properties.h"

namespace heddle::code {

std::uint32_t scratch_registers(const Instruction& instruction) {
  constexpr std::uint32_t kWide = 12;  // For 64-bit operations.
  const std::uint32_t registers = properties_of(instruction.operation).expansion.scratch_registers;
  const bool is_looked_up =
      is_floating(instruction.type) && (instruction.approximate || instruction.full_range);
  if (registers == 0 || is_looked_up) return 0;
  return size_of(instruction.type) == 8 ? kWide : registers;
}

}  // namespace heddle::code
