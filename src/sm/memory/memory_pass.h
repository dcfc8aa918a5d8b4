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

/// The memory accesses of one pass of an instruction.
struct MemoryPass {
  MemoryAction action = MemoryAction::load;
  LaneMask lanes{};
  const memory::LaneAddresses* addresses = nullptr;
  HardwareWarpId hardware_warp = 0;  ///< The lanes' hardware warp, if it is the same for all.
  /// The hardware warp of each lane, if they differ; otherwise null.
  const std::array<std::uint8_t, 32>* hardware_warps = nullptr;
  /// The atomic to perform in the memory partition: its number in AtomicsInFlight, or kNoAtomic.
  std::uint32_t atomic = kNoAtomic;
};

}  // namespace heddle::sm
