#pragma once

#include <cstdint>
#include <map>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace heddle::cuda {

/// What memory was asked for. All of it is device memory, which the host has at the same addresses.
enum class MemoryKind : std::uint8_t { device, host, managed };

class Allocations {
 public:
  struct Allocation {
    std::uint64_t bytes = 0;
    MemoryKind kind = MemoryKind::device;
    std::uint32_t flags = 0;  ///< Of cudaHostAlloc.
  };
  struct Found {
    std::uint64_t address = 0;
    Allocation allocation{};
  };

  /// Throws Failure where there is no room. No bytes: a null pointer.
  std::uint64_t allocate(device::Device& device, std::uint64_t bytes, MemoryKind kind,
                         std::uint32_t flags = 0);
  /// Throws Failure for what allocate() did not return for memory of such a kind.
  void free(device::Device& device, std::uint64_t address, bool host);
  /// The allocation that an address lies in; its own address is 0 where there is none.
  Found find(std::uint64_t address) const;
  void clear() { live_.clear(); }

 private:
  std::map<std::uint64_t, Allocation> live_;
};

}  // namespace heddle::cuda
