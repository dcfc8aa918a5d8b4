#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sm/memory/memory_pass.h"
#include "sm/pipeline/travellers.h"

namespace heddle::sm {

/// What the passes of a memory instruction access, where lanes of several rows go together.
class GatheredPasses {
 public:
  /// After the rows have executed it.
  void gather(std::span<const Row> rows, std::size_t passes);
  MemoryPass pass(std::size_t number, MemoryAction action) const {
    const Gathered& gathered = passes_[number];
    return {.action = action,
            .lanes = gathered.lanes,
            .addresses = &gathered.addresses,
            .homes = &gathered.homes};
  }

 private:
  struct Gathered {
    LaneMask lanes{};
    memory::LaneAddresses addresses{};
    std::array<std::uint8_t, 32> homes{};
  };
  std::vector<Gathered> passes_;
};

}  // namespace heddle::sm
