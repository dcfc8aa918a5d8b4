#pragma once

#include <cstdint>

#include "config/declarations.h"
#include "memory/dram/dram_description.h"

namespace heddle::memory {

/// The parameters of fr-fcfs, in addition to those of all channels with banks
/// (BankedDramParameters).
struct FrFcfsParameters {
  std::uint32_t age_limit = 0;  ///< In DRAM cycles; 0: no limit.

  void declare(config::Declarations& parameters);
  void check(const PartitionDescription& partition) const;
  DramProperties properties(const DramDescription& dram) const;
};

}  // namespace heddle::memory
