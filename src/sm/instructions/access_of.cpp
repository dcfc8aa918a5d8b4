#include "sm/instructions/access_of.h"

#include <algorithm>
#include <bit>

#include "code/operation_properties.h"

namespace heddle::sm {
namespace {

using code::FunctionalClass;
using code::Instruction;
using code::Operand;
using code::Operation;

MemoryRoute route_of_space(code::Space space) {
  switch (space) {
    case code::Space::generic:
      return MemoryRoute::generic;
    case code::Space::global:
      return MemoryRoute::global;
    case code::Space::shared:
      return MemoryRoute::shared;
    case code::Space::local:
      return MemoryRoute::local;
    case code::Space::constant:
    case code::Space::parameter:
      return MemoryRoute::constant;
  }
  return MemoryRoute::none;
}

std::uint32_t bytes_of(const Instruction& instruction) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::atomic:
    case FunctionalClass::surface: {
      const auto element = static_cast<std::uint32_t>(size_of(instruction.type));
      return element * std::max<std::uint32_t>(instruction.vector_count, 1);
    }
    case FunctionalClass::copy:
      return instruction.copy_bytes;
    // The size of a texel depends on the texture, which is known only at run time. The instruction
    // counts as four bytes for each channel that it returns.
    case FunctionalClass::texture: {
      const auto channels =
          std::count_if(instruction.destinations.begin(), instruction.destinations.end(),
                        [](const Operand& d) { return d.is_register(); });
      return 4 * std::max(static_cast<std::uint32_t>(channels), 1U);
    }
    case FunctionalClass::integer:
    case FunctionalClass::arithmetic:
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
    case FunctionalClass::function:
    case FunctionalClass::refined_function:
    case FunctionalClass::exchange:
    case FunctionalClass::texture_query:
    case FunctionalClass::hint:
    case FunctionalClass::branch:
    case FunctionalClass::system_call:
    case FunctionalClass::barrier:
    case FunctionalClass::fence:
    case FunctionalClass::wait:
      return 0;
  }
  return 0;
}

}  // namespace

MemoryRoute route_of(const Instruction& instruction) {
  switch (properties_of(instruction.operation).functional_class) {
    case FunctionalClass::load:
    case FunctionalClass::store:
    case FunctionalClass::atomic: {
      const bool is_spill = instruction.operation == Operation::load_local_slot ||
                            instruction.operation == Operation::store_local_slot;
      return is_spill ? MemoryRoute::local : route_of_space(instruction.space);
    }
    case FunctionalClass::copy:
      return MemoryRoute::global;  // It reads global memory, and writes to the scratchpad.
    case FunctionalClass::integer:
    case FunctionalClass::arithmetic:
    case FunctionalClass::comparison:
    case FunctionalClass::conversion:
    case FunctionalClass::function:
    case FunctionalClass::refined_function:
    case FunctionalClass::exchange:
    case FunctionalClass::texture:
    case FunctionalClass::texture_query:
    case FunctionalClass::surface:
    case FunctionalClass::hint:
    case FunctionalClass::branch:
    case FunctionalClass::system_call:
    case FunctionalClass::barrier:
    case FunctionalClass::fence:
    case FunctionalClass::wait:
      return MemoryRoute::none;
  }
  return MemoryRoute::none;
}

std::uint8_t bytes_per_lane_of(const Instruction& instruction) {
  const std::uint32_t bytes = bytes_of(instruction);
  return static_cast<std::uint8_t>(bytes == 0 ? 0U : std::min(std::bit_ceil(bytes), 16U));
}

bool bypasses_l1(const Instruction& instruction) {
  if (instruction.operation != Operation::load) return false;
  const bool is_ordered =
      instruction.order != code::MemoryOrder::weak && instruction.scope != code::Scope::block;
  return is_ordered || instruction.cache == code::CacheOperator::global ||
         instruction.cache == code::CacheOperator::uncached;
}

}  // namespace heddle::sm
