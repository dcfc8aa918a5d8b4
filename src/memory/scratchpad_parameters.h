#pragma once

#include <cstdint>

namespace heddle::memory {

/// A scratchpad of `banks` banks, in which words of `bank_bytes` bytes follow one another from bank
/// to bank.
struct ScratchpadParameters {
  std::uint32_t banks = 32;
  std::uint32_t bank_bytes = 4;
  /// What goes between the banks and the lanes in one pass, in which a lane takes 4 bytes or as
  /// many as it accesses. 128 bytes are a warp of 4-byte accesses, half a warp of 8-byte ones, a
  /// quarter of 16-byte ones; 64 bytes are the half warps of older hardware.
  std::uint32_t pass_bytes = 128;
};

}  // namespace heddle::memory
