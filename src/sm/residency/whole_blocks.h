#pragma once

// The base class of the policies that admit a block only when all resources that it needs are free,
// and then start all its warps.

#include <cstdint>

#include "sm/residency/residency.h"

namespace heddle::sm {

class WholeBlocks : public Residency {
 public:
  using Residency::Residency;

  bool fits(const BlockNeeds& needs) const final { return pool_.has_space(pool_.block(needs)); }
  Cycle space_since(const BlockNeeds& needs) const final {
    return pool_.space_since(pool_.block(needs));
  }
  void admit_block(const BlockNeeds& needs) final { pool_.allocate(pool_.block(needs)); }
  std::uint32_t admit_warps(const BlockNeeds&, std::uint32_t waiting, Cycle) final {
    return waiting;
  }
};

}  // namespace heddle::sm
