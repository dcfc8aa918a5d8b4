// The device's memory lies where the host has it too, at addresses in the gap between
// AddressSanitizer's two shadows. With protect_shadow_gap=0 the gap may be used, and has a shadow
// itself; but of that a part, for addresses that nobody uses, lies just where the device's memory
// belongs. This takes it away.

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "exec/memory/address_space.h"

namespace {

/// What a program's device has, twice, and a little.
constexpr std::uint64_t kDeviceBytes = std::uint64_t{40} << 30;

__attribute__((constructor)) void make_room() {
  if (::munmap(reinterpret_cast<void*>(heddle::exec::kGlobalBase), kDeviceBytes) != 0) {
    std::perror("no room for the device's memory");
    std::exit(1);
  }
}

}  // namespace
