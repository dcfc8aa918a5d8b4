#pragma once

// Round-robin selection: one block to each multiprocessor in turn until all are full. Later blocks
// go to the next multiprocessor with space, continuing in the same order.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/chip_grid.h"
#include "sm/sm.h"

namespace heddle::gpu {

class RoundRobin {
 public:
  /// The number of the next multiprocessor that has space and for which `allows(number)` is true;
  /// nothing if there is none.
  template <class Allows>
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms,
                                      Allows allows) {
    const auto count = static_cast<std::uint32_t>(sms.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t number = (next_ + i) % count;
      if (!allows(number) || !sms[number]->fits(grid.grid_on(number))) continue;
      next_ = number + 1;
      return number;
    }
    return std::nullopt;
  }

 private:
  std::uint32_t next_ = 0;
};

}  // namespace heddle::gpu
