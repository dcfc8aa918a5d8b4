#pragma once

#include <cstdint>

#include "config/declarations.h"
#include "memory/replacement/replacement_description.h"

namespace heddle::sm {

/// The parameters of a cache of a multiprocessor. The L1, the constant cache and the texture cache
/// each have other defaults.
struct CacheDescription {
  std::uint64_t bytes = 16384;
  std::uint32_t line_bytes = 128;
  std::uint32_t sector_bytes = 0;  ///< If 0, a line is one sector.
  std::uint32_t ways = 4;
  bool hash_sets = false;
  memory::ReplacementDescription replacement{};
  std::uint32_t latency = 20;  ///< Of a hit, in cycles.
  std::uint32_t mshrs = 32;
  std::uint32_t merges = 8;  ///< Accesses that can wait for one line.

  void declare(config::Declarations& parameters) {
    parameters.number("bytes", bytes, {.unit = "B", .least = 16, .most = 1 << 24}, "capacity");
    parameters.number("line_bytes", line_bytes, {.unit = "B", .least = 16, .most = 4096},
                      "line size; a power of two");
    parameters.number("ways", ways, {.least = 1, .most = 4096}, "lines per set");
    parameters.flag("hash_sets", hash_sets,
                    "whether the set index is a hash of all address bits, so that lines a multiple "
                    "of the way size apart do not conflict");
    parameters.part("replacement", replacement);
    parameters.number("latency", latency, {.unit = "core cycles", .least = 1, .most = 10000},
                      "latency of a hit, from the access to usable data");
    parameters.number("mshrs", mshrs, {.least = 1, .most = 4096},
                      "miss status holding registers: lines that can be fetched at the same time");
    parameters.number("merges", merges, {.least = 1, .most = 1024},
                      "accesses that can wait for one line, including the one that missed");
  }
};

}  // namespace heddle::sm
