#pragma once

// The parameters of DRAM with banks and rows, shared by all scheduling policies.

#include <cstdint>

#include "config/declarations.h"
#include "memory/dram/banked_channel.h"
#include "memory/dram/dram_description.h"

namespace heddle::memory {

/// The parameters of a channel with banks; declare() says what each of them means.
struct BankedDramParameters {
  std::uint32_t banks = 8;
  std::uint32_t row_bytes = 4096;
  bool hash_banks = false;
  // Times in DRAM cycles. The first three are from Xiang, Toward Efficient SIMT Execution, Table 1.
  // The papers do not give the others; their defaults are typical of GDDR3.
  std::uint32_t cas_latency = 10;
  std::uint32_t precharge = 10;
  std::uint32_t activate = 12;
  std::uint32_t active = 25;
  std::uint32_t row_cycle = 0;
  std::uint32_t write_recovery = 11;

  void declare(config::Declarations& parameters);
  /// Throws InputError if a row cannot hold an L2 line.
  void check(const PartitionDescription& partition) const;
  DramProperties properties(const DramDescription& dram) const;
  /// Combines these parameters with those of all channels.
  BankedChannelParameters channel(const DramDescription& dram) const;
};

}  // namespace heddle::memory
