// Device memory is mapped at fixed host addresses, in the gap between AddressSanitizer's two shadow
// regions. With protect_shadow_gap=0 the gap may be used and has a shadow itself. A part of that
// shadow, for unused addresses, overlaps the device memory: this library unmaps it.

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "exec/memory/address_space.h"

namespace {

/// More than twice the memory of a program's device.
constexpr std::uint64_t kDeviceBytes = std::uint64_t{40} << 30;

__attribute__((constructor)) void unmap_shadow() {
  if (::munmap(reinterpret_cast<void*>(heddle::exec::kGlobalBase), kDeviceBytes) != 0) {
    std::perror("cannot unmap AddressSanitizer's shadow where device memory belongs");
    std::exit(1);
  }
}

}  // namespace
