#pragma once

#include <cstdint>

#include "config/declarations.h"

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

}  // namespace heddle::memory
