#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "config/declarations.h"
#include "memory/dram/address_map.h"
#include "memory/dram/dram_channel.h"

namespace heddle::memory {

/// A channel of memory as a machine describes it. All cycles are those of the memory's clock.
struct DramDescription {
  std::string policy = "fr-fcfs";
  std::uint32_t latency = 400;
  std::uint32_t bandwidth_bytes = 16;
  std::uint32_t bandwidth_cycles = 1;
  std::uint32_t transaction_bytes = 32;
  std::uint32_t queue_entries = 32;  ///< preexec Table 1.
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
  std::uint32_t age_limit = 0;
  std::uint32_t overhead = 0;

  void declare(config::Declarations& parameters);
  /// Whether requests meet banks with rows.
  bool has_banks() const { return policy != "fixed"; }
};

/// A channel that takes addresses of its own: those of one channel, without holes. Throws
/// InputError.
std::unique_ptr<DramChannel> make_channel(const DramDescription& description);

}  // namespace heddle::memory
