#pragma once

// Round-robin selection. Blocks go to the multiprocessors in turn; multiprocessors without space
// are skipped.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/chip_grid.h"
#include "sm/sm.h"

namespace heddle::gpu {

class RoundRobin {
 public:
  /// Returns the number of the next multiprocessor that has space for a block of the launch and for
  /// which `allows(number)` is true; empty if there is none.
  template <class Allows>
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms,
                                      Allows allows) {
    const auto count = static_cast<std::uint32_t>(sms.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t number = (next_sm_ + i) % count;
      if (!allows(number) || !sms[number]->fits(grid.grid_on(number))) continue;
      next_sm_ = number + 1;
      return number;
    }
    return std::nullopt;
  }

 private:
  std::uint32_t next_sm_ = 0;  ///< The multiprocessor at which the next search begins.
};

}  // namespace heddle::gpu
