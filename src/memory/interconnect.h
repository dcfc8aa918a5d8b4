#pragma once

// The crossbar between the multiprocessors and the partitions of memory: one port in each direction
// at each end, and a latency between them. Every port belongs to the component at its end.

#include <cstdint>
#include <numeric>

#include "base/cycle.h"
#include "memory/interconnect_description.h"
#include "memory/port.h"

namespace heddle::memory {

/// A port of the crossbar, in core cycles.
inline PortParameters crossbar_port(const InterconnectDescription& interconnect,
                                    std::uint32_t core_mhz, std::uint32_t interconnect_mhz) {
  const std::uint32_t common = std::gcd(core_mhz, interconnect_mhz);
  return {.bytes = interconnect.bytes_per_cycle * (interconnect_mhz / common),
          .cycles = core_mhz / common};
}

}  // namespace heddle::memory
