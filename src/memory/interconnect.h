#pragma once

// The crossbar between the multiprocessors and the memory partitions. Each component has one port
// in each direction, and messages take a latency between the ports.

#include <cstdint>
#include <numeric>

#include "base/cycle.h"
#include "memory/interconnect_description.h"
#include "memory/port.h"

namespace heddle::memory {

/// The bandwidth of a crossbar port in core cycles.
inline PortParameters crossbar_port(const InterconnectDescription& interconnect,
                                    std::uint32_t core_mhz, std::uint32_t interconnect_mhz) {
  const std::uint32_t common = std::gcd(core_mhz, interconnect_mhz);
  return {.bytes = interconnect.bytes_per_cycle * (interconnect_mhz / common),
          .cycles = core_mhz / common};
}

}  // namespace heddle::memory
