#pragma once

// What a machine says of memory with banks and rows, for every policy that orders its requests.

#include <cstdint>

#include "config/declarations.h"
#include "memory/dram/banked_channel.h"
#include "memory/dram/dram_description.h"

namespace heddle::memory {

struct BankedDramParameters {
  std::uint32_t banks = 8;
  std::uint32_t row_bytes = 4096;
  bool hash_banks = false;
  // The first three are of simt Table 1; the papers give no others: usual ones of GDDR3.
  std::uint32_t cas_latency = 10;
  std::uint32_t precharge = 10;
  std::uint32_t activate = 12;
  std::uint32_t active = 25;
  std::uint32_t row_cycle = 0;
  std::uint32_t write_recovery = 11;

  void declare(config::Declarations& parameters);
  void check(const PartitionDescription& partition) const;
  DramProperties properties(const DramDescription& dram) const;
  BankedChannelParameters channel(const DramDescription& dram) const;
};

}  // namespace heddle::memory
