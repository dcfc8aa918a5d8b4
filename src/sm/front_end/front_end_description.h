#pragma once

#include <cstdint>

#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct FetchDescription {
  std::uint32_t width = 2;    ///< Instructions that a fetch brings.
  std::uint32_t ports = 1;    ///< A sub-core's accesses to the instruction cache per cycle.
  std::uint32_t latency = 2;  ///< In cycles, from the access until the instruction can issue.
  std::uint32_t buffer = 4;   ///< Size of a warp's instruction buffer, in instructions.

  void declare(config::Declarations& parameters);
};

struct InstructionCacheDescription {
  std::uint64_t bytes = 8192;  ///< The capacity; if 0, every access hits.
  std::uint32_t line_bytes = 128;
  std::uint32_t ways = 4;
  std::uint32_t miss_cycles = 100;

  void declare(config::Declarations& parameters);
  static void storage(config::StorageList& list);
};

}  // namespace heddle::sm
