#pragma once

#include <cstdint>
#include <vector>

#include "code/function.h"

namespace heddle::code {

/// The default reuse distance: how many instructions the allocator tries to leave between the last
/// read of a register and the next write to it, if enough registers are free.
inline constexpr std::uint32_t kDefaultReuseDistance = 6;

/// How many registers the allocator may use, and how it uses them.
struct RegisterLimits {
  std::uint32_t registers = 255;  ///< All register numbers are lower than this.
  std::uint32_t predicates = 7;
  /// Where more registers than this are live at once, values are computed again next to their reads
  /// (rematerialised). 0: only values that would otherwise be spilled are.
  std::uint32_t rematerialise_above = 0;
  std::uint32_t hidden_registers = 0;  ///< A thread's registers that its code does not name.
  std::uint32_t reuse_distance = kDefaultReuseDistance;
  std::vector<std::uint32_t> reserved;  ///< Registers that the allocator must not use.
};

/// What an allocated function uses.
struct Allocation {
  std::uint32_t registers = 0;  ///< One more than the highest register that the code names.
  std::uint32_t predicates = 0;
  std::uint32_t spill_loads = 0;  ///< The number of instructions; likewise spill_stores.
  std::uint32_t spill_stores = 0;
};

/// Assigns a physical register to every virtual register and predicate. Values that do not fit are
/// spilled to the end of the function's stack frame, and Function::frame_bytes grows. Values that
/// are live across a call are saved there, too. The result exceeds a limit only if spilling cannot
/// prevent it, for example if a single instruction needs more registers.
Allocation allocate(Function& function, const RegisterLimits& limits = {});

}  // namespace heddle::code
