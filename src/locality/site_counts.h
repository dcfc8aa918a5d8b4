#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "locality/reuse_counts.h"

namespace heddle::locality {

/// The counts of each instruction of a program. Only instructions that have counts take memory.
class SiteCounts {
 public:
  explicit SiteCounts(std::size_t instructions) : by_pc_(instructions) {}

  /// The counts of the accesses that the instruction at `pc` made.
  ReuseCounts& operator[](std::uint32_t pc) {
    std::unique_ptr<ReuseCounts>& counts = by_pc_[pc];
    if (counts == nullptr) counts = std::make_unique<ReuseCounts>();
    return *counts;
  }
  /// Calls each(pc, counts) for the instructions that have counts, in ascending order.
  template <class Each>
  void for_each(Each each) const {
    for (std::size_t pc = 0; pc < by_pc_.size(); ++pc) {
      if (by_pc_[pc] != nullptr) each(static_cast<std::uint32_t>(pc), *by_pc_[pc]);
    }
  }

 private:
  std::vector<std::unique_ptr<ReuseCounts>> by_pc_;
};

}  // namespace heddle::locality
