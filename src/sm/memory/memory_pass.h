#pragma once

#include <array>
#include <cstdint>

#include "base/lane_mask.h"
#include "memory/lane_addresses.h"
#include "sm/ids.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

inline constexpr std::uint32_t kNoAtomic = ~std::uint32_t{0};

/// A launch's address spaces other than global memory.
struct LaunchSpaces {
  std::uint32_t local_bytes = 0;  ///< Size of a thread's local memory.
  std::uint64_t parameters = 0;   ///< AddressBases::parameters of the launch.
};

/// The memory accesses of one pass of an instruction: threads in different lanes that go through
/// the memory stage together. The threads may belong to several static warps; a hardware warp is
/// the place of a static warp's registers and local memory (sm/ids.h).
struct MemoryPass {
  MemoryAction action = MemoryAction::load;
  LaneMask lanes{};
  const memory::LaneAddresses* addresses = nullptr;  ///< By lane.
  HardwareWarpId hardware_warp = 0;  ///< The hardware warp of all lanes, if hardware_warps is null.
  /// By lane: the hardware warp. Null if it is the same for all lanes.
  const std::array<std::uint8_t, 32>* hardware_warps = nullptr;
  /// The atomic that memory partitions perform: its number in AtomicsInFlight; kNoAtomic if none.
  std::uint32_t atomic = kNoAtomic;
};

}  // namespace heddle::sm
