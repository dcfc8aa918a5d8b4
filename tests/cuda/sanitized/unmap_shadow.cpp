// Heddle maps device memory at fixed host addresses, in the gap between AddressSanitizer's two
// shadow regions. With the option protect_shadow_gap=0, programs may use the gap, and the gap
// itself has a shadow. The part of that shadow that overlaps device memory belongs to unused
// addresses. This library unmaps that part.

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "exec/memory/address_space.h"

namespace {

/// More than twice the default device memory, 16 GiB.
constexpr std::uint64_t kDeviceBytes = std::uint64_t{40} << 30;

__attribute__((constructor)) void unmap_shadow() {
  if (::munmap(reinterpret_cast<void*>(heddle::exec::kGlobalBase), kDeviceBytes) != 0) {
    std::perror("cannot unmap AddressSanitizer's shadow where device memory belongs");
    std::exit(1);
  }
}

}  // namespace
