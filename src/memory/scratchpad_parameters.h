#pragma once

#include <cstdint>

namespace heddle::memory {

/// A scratchpad of `banks` banks. Consecutive words of `bank_bytes` bytes lie in consecutive banks.
struct ScratchpadParameters {
  std::uint32_t banks = 32;
  std::uint32_t bank_bytes = 4;
  /// The bytes that can move between banks and lanes in one pass. A lane counts as at least 4
  /// bytes. 128 bytes serve a warp of 4-byte accesses, half a warp of 8-byte accesses, or a quarter
  /// of a warp of 16-byte accesses. 64 bytes model older hardware, which serves half a warp.
  std::uint32_t pass_bytes = 128;
};

}  // namespace heddle::memory
