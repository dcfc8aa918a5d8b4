#pragma once

#include <cstdint>

namespace heddle::sm {

/// The sizes of the memories of a multiprocessor that may differ from launch to launch.
struct StorageSizes {
  std::uint32_t registers = 0;     ///< 32-bit registers, for all resident threads.
  std::uint32_t shared_bytes = 0;  ///< The scratchpad, for all resident blocks.
  std::uint64_t l1_bytes = 0;
  /// Of a unified memory: what is switched off during the launch.
  std::uint64_t off_bytes = 0;

  friend bool operator==(const StorageSizes&, const StorageSizes&) = default;
};

}  // namespace heddle::sm
