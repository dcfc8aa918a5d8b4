#pragma once

#include <cstdint>
#include <string>

#include "config/declarations.h"
#include "config/storage_list.h"
#include "memory/dram/dram_description.h"
#include "memory/replacement/replacement_description.h"

namespace heddle::memory {

/// The parameters of the memory as a whole. In all structs of this file, declare() says what each
/// parameter means.
struct MemoryDescription {
  std::uint32_t partitions = 6;
  std::uint32_t interleave_bytes = 256;
  std::uint32_t queue = 16;

  void declare(config::Declarations& parameters);
};

/// A partition's slice of the L2.
struct L2Description {
  bool present = true;
  std::uint64_t bytes = 262144;
  std::uint32_t line_bytes = 128;
  std::uint32_t sector_bytes = 32;
  std::uint32_t ways = 8;
  ReplacementDescription replacement{};
  std::uint32_t latency = 100;
  std::uint32_t interval = 1;
  std::uint32_t mshrs = 64;
  std::uint32_t merges = 16;
  std::string write = "back";

  void declare(config::Declarations& parameters);
};

/// A partition's atomic unit.
struct AtomicDescription {
  std::uint32_t interval = 1;

  void declare(config::Declarations& parameters);
};

/// A memory partition. All partitions of a machine are identical.
struct PartitionDescription {
  MemoryDescription memory;
  L2Description l2;
  AtomicDescription atomic;
  DramDescription dram;

  /// Declares the four parts under the names "memory", "l2", "atomic" and "dram".
  void declare(config::Declarations& parameters);
  /// Lists the storage arrays of one partition.
  static void storage(config::StorageList& list);
  /// Throws InputError if the parts do not fit together.
  void check() const;
  /// Returns the size of the aligned blocks in one of which all bytes of a request must lie.
  std::uint32_t block_bytes() const;
};

}  // namespace heddle::memory
