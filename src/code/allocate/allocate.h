#pragma once

#include <cstdint>
#include <vector>

#include "code/function.h"

namespace heddle::code {

/// The default number of instructions that should lie between the last read of a register and the
/// next write to it, if enough registers are free.
inline constexpr std::uint32_t kDefaultReuseDistance = 6;

struct RegisterLimits {
  std::uint32_t registers = 255;  ///< All register numbers are lower.
  std::uint32_t predicates = 7;
  /// Values are recomputed at their reads (rematerialised) where more registers than this are live
  /// at once. 0: never for this reason.
  std::uint32_t rematerialise_above = 0;
  std::uint32_t hidden = 0;  ///< The number of a thread's registers that its code does not name.
  std::uint32_t reuse_distance = kDefaultReuseDistance;
  std::vector<std::uint32_t> reserved;  ///< Registers that the allocator must not use.
};

struct Allocation {
  std::uint32_t registers = 0;  ///< One more than the highest register that the code names.
  std::uint32_t predicates = 0;
  std::uint32_t spill_loads = 0;
  std::uint32_t spill_stores = 0;
};

/// Assigns a physical register to every virtual register and predicate. Values that do not fit are
/// spilled to the stack after Function::frame_bytes, which grows. Values that are live across a
/// call are saved there, too. The limit on registers is exceeded only if a single instruction needs
/// more.
Allocation allocate(Function& function, const RegisterLimits& limits = {});

}  // namespace heddle::code
