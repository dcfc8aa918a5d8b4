#include "gpu/warp_lifetimes.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace heddle::gpu {

double temporal_underutilisation(const std::vector<sm::WarpLifetime>& warps) {
  struct Sums {
    std::uint64_t warps = 0;
    std::uint64_t cycles = 0;
    std::uint64_t longest = 0;
  };
  std::map<std::uint64_t, Sums> blocks;
  for (const sm::WarpLifetime& warp : warps) {
    Sums& block = blocks[warp.block];
    const std::uint64_t lifetime = (warp.end - warp.begin).count;
    ++block.warps;
    block.cycles += lifetime;
    block.longest = std::max(block.longest, lifetime);
  }
  double sum = 0;
  for (const auto& [number, block] : blocks) {
    const double held = static_cast<double>(block.warps) * static_cast<double>(block.longest);
    sum += (held - static_cast<double>(block.cycles)) / held;
  }
  return blocks.empty() ? 0 : sum / static_cast<double>(blocks.size());
}

}  // namespace heddle::gpu
