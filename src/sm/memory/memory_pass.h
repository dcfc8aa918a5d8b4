#pragma once

#include <array>
#include <cstdint>

#include "base/lane_mask.h"
#include "memory/lane_addresses.h"
#include "sm/memory/memory_instruction.h"

namespace heddle::sm {

inline constexpr std::uint32_t kNoAtomic = ~std::uint32_t{0};

/// Where a launch's threads have what is not in its device memory.
struct LaunchSpaces {
  std::uint32_t local_bytes = 0;  ///< Of a thread's local memory.
  std::uint64_t parameters = 0;   ///< As AddressBases::parameters.
};

/// What one pass of a memory instruction asks for.
struct MemoryPass {
  MemoryAction action = MemoryAction::load;
  LaneMask lanes{};
  const memory::LaneAddresses* addresses = nullptr;
  std::uint32_t home = 0;                               ///< Of the lanes' row.
  const std::array<std::uint8_t, 32>* homes = nullptr;  ///< Of each lane's row, if they differ.
  std::uint32_t atomic = kNoAtomic;                     ///< To be performed where it arrives.
};

}  // namespace heddle::sm
