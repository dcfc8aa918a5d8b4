#pragma once

#include <cstdint>
#include <vector>

#include "code/function.h"

namespace heddle::code {

/// Instructions that a register rests before it is written again, where there are registers enough.
inline constexpr std::uint32_t kUsualRest = 6;

struct RegisterLimits {
  std::uint32_t registers = 255;  ///< Their numbers lie below this.
  std::uint32_t predicates = 7;
  /// From this many on, values that can be rematerialised do not stay in registers; 0: they do.
  std::uint32_t comfortable = 0;
  std::uint32_t hidden = 0;  ///< Registers that a thread has besides those that its code names.
  std::uint32_t rest = kUsualRest;
  std::vector<std::uint32_t> reserved;  ///< Registers that the code must leave alone.
};

struct Allocation {
  std::uint32_t registers = 0;  ///< That the code names: one more than the highest.
  std::uint32_t predicates = 0;
  std::uint32_t spill_loads = 0;
  std::uint32_t spill_stores = 0;
};

/// Gives every virtual register and predicate a physical one. What does not fit goes to the stack
/// after Function::frame_bytes, which grows; so does what lives across a call. The limit on
/// registers is exceeded only where a single instruction needs more.
Allocation allocate(Function& function, const RegisterLimits& limits = {});

}  // namespace heddle::code
