#pragma once

#include <cstdint>

#include "config/declarations.h"

namespace heddle::sm {

/// A cache of a multiprocessor. Each of them declares its own defaults.
struct CacheDescription {
  std::uint64_t bytes = 16384;
  std::uint32_t line_bytes = 128;
  std::uint32_t sector_bytes = 0;  ///< 0: as many as a line has.
  std::uint32_t ways = 4;
  bool hash_sets = false;
  std::uint32_t latency = 20;
  std::uint32_t mshrs = 32;
  std::uint32_t merges = 8;

  void declare(config::Declarations& parameters) {
    parameters.number("bytes", bytes, {.unit = "B", .least = 16, .most = 1 << 24},
                      "the data that it holds");
    parameters.number("line_bytes", line_bytes, {.unit = "B", .least = 16, .most = 4096},
                      "of a line; a power of two");
    parameters.number("ways", ways, {.least = 1, .most = 4096}, "lines of a set");
    parameters.flag("hash_sets", hash_sets,
                    "whether all bits of a line's address count in its set, so that lines a whole "
                    "number of ways apart do not meet");
    parameters.number("latency", latency, {.unit = "core cycles", .least = 1, .most = 10000},
                      "from the access to usable data, on a hit");
    parameters.number("mshrs", mshrs, {.least = 1, .most = 4096},
                      "lines that can be fetched at the same time");
    parameters.number("merges", merges, {.least = 1, .most = 1024},
                      "accesses that can wait for one line, the first included");
  }
};

}  // namespace heddle::sm
