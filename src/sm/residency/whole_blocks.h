#pragma once

// Base of the policies that admit a block when all resources that it needs are free, and start all
// its warps with it.

#include <cstdint>

#include "sm/residency/residency.h"

namespace heddle::sm {

class WholeBlocks : public Residency {
 public:
  using Residency::Residency;

  bool fits(const BlockNeeds& needs) const final { return pool_.has_room(pool_.block(needs)); }
  Cycle room_since(const BlockNeeds& needs) const final {
    return pool_.room_since(pool_.block(needs));
  }
  void admit_block(const BlockNeeds& needs) final { pool_.allocate(pool_.block(needs)); }
  std::uint32_t admit_warps(const BlockNeeds&, std::uint32_t waiting, Cycle) final {
    return waiting;
  }
};

}  // namespace heddle::sm
