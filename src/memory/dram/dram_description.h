#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/declarations.h"
#include "config/policy_parameters.h"

namespace heddle::memory {

struct PartitionDescription;

/// The organisation of a channel in banks and rows.
struct DramRows {
  std::uint32_t banks = 8;
  std::uint32_t bytes = 4096;  ///< Size of a row.
  bool hash_banks = false;     ///< As in AddressMapParameters.
};

/// The properties of a DRAM policy that other code needs before a channel is constructed.
struct DramProperties {
  std::optional<DramRows> rows{};  ///< Empty if the policy models no banks.
  // Latencies of a request without contention, from its arrival to its first byte, in DRAM cycles:
  std::uint32_t latency = 0;           ///< If its row is open, or if rows are not modelled.
  std::uint32_t conflict_latency = 0;  ///< If another row of its bank is open.
  std::vector<std::string> sketch{};   ///< Lines of text for a drawing of the machine.
};

/// The description of a DRAM channel. All cycles are DRAM cycles.
struct DramDescription {
  std::string policy = "fr-fcfs";
  std::uint32_t bandwidth_bytes = 16;
  std::uint32_t bandwidth_cycles = 1;
  std::uint32_t transaction_bytes = 32;
  std::uint32_t queue_entries = 32;  ///< Kim et al., Warped-Preexecution, Table 1.
  std::uint32_t overhead = 0;
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  /// Throws InputError if the policy cannot be combined with the rest of the partition.
  void check(const PartitionDescription& partition) const;
  DramProperties properties() const;
};

}  // namespace heddle::memory
