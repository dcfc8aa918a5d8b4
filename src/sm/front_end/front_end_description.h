#pragma once

#include <cstdint>

#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct FetchDescription {
  std::uint32_t width = 2;
  std::uint32_t ports = 1;
  std::uint32_t latency = 2;
  std::uint32_t buffer = 4;

  void declare(config::Declarations& parameters);
};

struct InstructionCacheDescription {
  std::uint64_t bytes = 8192;
  std::uint32_t line_bytes = 128;
  std::uint32_t ways = 4;
  std::uint32_t miss_cycles = 100;

  void declare(config::Declarations& parameters);
  static void storage(config::StorageList& list);
};

}  // namespace heddle::sm
