#pragma once

#include <cstdint>

#include "config/declarations.h"

namespace heddle::memory {

/// The parameters of the crossbar; declare() says what each of them means.
struct InterconnectDescription {
  std::uint32_t latency = 40;
  std::uint32_t bytes_per_cycle = 32;
  std::uint32_t header_bytes = 8;

  void declare(config::Declarations& parameters) {
    parameters.number("latency", latency, {.unit = "core cycles", .least = 1, .most = 10000},
                      "of a message from one end of the crossbar to the other; the simulator's "
                      "epochs are at most twice as long");
    parameters.number("bytes_per_cycle", bytes_per_cycle, {.unit = "B", .least = 1, .most = 65536},
                      "that a port carries per cycle of the interconnect's clock");
    parameters.number("header_bytes", header_bytes, {.unit = "B", .least = 0, .most = 256},
                      "size of a message's header");
  }
};

}  // namespace heddle::memory
