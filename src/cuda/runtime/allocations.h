#pragma once

#include <cstdint>
#include <map>

#include "cuda/runtime/error.h"
#include "device/device.h"

namespace heddle::cuda {

/// The call that allocated memory: cudaMalloc, cudaHostAlloc or cudaMallocManaged. All kinds are
/// device memory, mapped at the same addresses on the host.
enum class MemoryKind : std::uint8_t { device, host, managed };

/// The memory that a program has allocated and not freed.
class Allocations {
 public:
  struct Allocation {
    std::uint64_t bytes = 0;
    MemoryKind kind = MemoryKind::device;
    std::uint32_t flags = 0;  ///< The flags of cudaHostAlloc.
  };
  struct Entry {
    std::uint64_t address = 0;  ///< The allocation's first address.
    Allocation allocation{};
  };

  /// Allocates device memory and returns its address; 0 if `bytes` is 0. Throws Failure if memory
  /// is exhausted.
  std::uint64_t allocate(device::Device& device, std::uint64_t bytes, MemoryKind kind,
                         std::uint32_t flags = 0);
  /// Frees the allocation that begins at an address. `is_host` is true for cudaFreeHost, and false
  /// for cudaFree. Throws Failure if there is none, or if the other call must free it.
  void free(device::Device& device, std::uint64_t address, bool is_host);
  /// The allocation that contains an address; Entry::address is 0 if none does.
  Entry find(std::uint64_t address) const;
  /// Whether any memory is of the host or managed.
  bool any_shared_with_host() const { return shared_with_host_ != 0; }
  /// Forgets all allocations, without freeing them.
  void clear() {
    allocations_.clear();
    shared_with_host_ = 0;
  }

 private:
  std::map<std::uint64_t, Allocation> allocations_;  ///< By first address.
  std::size_t shared_with_host_ = 0;                 ///< How many are of the host or managed.
};

}  // namespace heddle::cuda
