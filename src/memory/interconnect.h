#pragma once

// The crossbar between the multiprocessors and the memory partitions. Each multiprocessor and each
// partition has one port in each direction. A message between two ports takes a fixed latency.

#include <cstdint>
#include <numeric>

#include "base/cycle.h"
#include "memory/interconnect_description.h"
#include "memory/port.h"

namespace heddle::memory {

/// Returns the bandwidth of a crossbar port, converted from the interconnect's cycles to core
/// cycles.
inline PortParameters crossbar_port(const InterconnectDescription& interconnect,
                                    std::uint32_t core_mhz, std::uint32_t interconnect_mhz) {
  const std::uint32_t common = std::gcd(core_mhz, interconnect_mhz);
  return {.bytes = interconnect.bytes_per_cycle * (interconnect_mhz / common),
          .cycles = core_mhz / common};
}

}  // namespace heddle::memory
