#pragma once

#include <cstdint>
#include <map>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace heddle::cuda {

/// The kind of allocation. All kinds are device memory, mapped at the same addresses on the host.
enum class MemoryKind : std::uint8_t { device, host, managed };

/// The memory that a program has allocated and not freed.
class Allocations {
 public:
  struct Allocation {
    std::uint64_t bytes = 0;
    MemoryKind kind = MemoryKind::device;
    std::uint32_t flags = 0;  ///< The flags of cudaHostAlloc.
  };
  struct Found {
    std::uint64_t address = 0;
    Allocation allocation{};
  };

  /// Returns 0 for no bytes. Throws Failure if memory is exhausted.
  std::uint64_t allocate(device::Device& device, std::uint64_t bytes, MemoryKind kind,
                         std::uint32_t flags = 0);
  /// `host` is true for cudaFreeHost, and false for cudaFree. Throws Failure if the address does
  /// not come from a matching allocation.
  void free(device::Device& device, std::uint64_t address, bool host);
  /// The allocation that contains an address; Found::address is 0 if none does.
  Found find(std::uint64_t address) const;
  void clear() { live_.clear(); }

 private:
  std::map<std::uint64_t, Allocation> live_;
};

}  // namespace heddle::cuda
