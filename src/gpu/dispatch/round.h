#pragma once

// One block for each multiprocessor in turn, and round again until all are full; then whoever has
// room first, going on in the same order.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/chip_grid.h"
#include "sm/sm.h"

namespace heddle::gpu {

class Round {
 public:
  /// The next one that `lets(number)` and that has room; none where none has.
  template <class Lets>
  std::optional<std::uint32_t> choose(const ChipGrid& grid,
                                      const std::vector<std::unique_ptr<sm::Sm>>& sms, Lets lets) {
    const auto count = static_cast<std::uint32_t>(sms.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t number = (next_ + i) % count;
      if (!lets(number) || !sms[number]->fits(grid.on(number))) continue;
      next_ = number + 1;
      return number;
    }
    return std::nullopt;
  }

 private:
  std::uint32_t next_ = 0;
};

}  // namespace heddle::gpu
