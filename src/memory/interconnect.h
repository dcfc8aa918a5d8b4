#pragma once

// The crossbar between the multiprocessors and the partitions of memory: one port in each direction
// at each end, and a latency between them. Every port belongs to the component at its end.

#include <cstdint>
#include <numeric>

#include "base/cycle.h"
#include "config/declarations.h"
#include "memory/port.h"

namespace heddle::memory {

struct InterconnectDescription {
  std::uint32_t latency = 40;
  std::uint32_t bytes_per_cycle = 32;
  std::uint32_t header_bytes = 8;

  void declare(config::Declarations& parameters) {
    parameters.number("latency", latency, {.unit = "core cycles", .least = 1, .most = 10000},
                      "from one end of the crossbar to the other; also how long the chip's parts "
                      "run before they hear of one another");
    parameters.number("bytes_per_cycle", bytes_per_cycle, {.unit = "B", .least = 1, .most = 65536},
                      "that a port carries in a cycle of the interconnect's clock");
    parameters.number("header_bytes", header_bytes, {.unit = "B", .least = 0, .most = 256},
                      "of a message, beside its data");
  }
};

/// A port of the crossbar, in core cycles.
inline PortParameters crossbar_port(const InterconnectDescription& interconnect,
                                    std::uint32_t core_mhz, std::uint32_t interconnect_mhz) {
  const std::uint32_t common = std::gcd(core_mhz, interconnect_mhz);
  return {.bytes = interconnect.bytes_per_cycle * (interconnect_mhz / common),
          .cycles = core_mhz / common};
}

}  // namespace heddle::memory
