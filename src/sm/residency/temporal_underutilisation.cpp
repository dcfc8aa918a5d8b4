// The ratio of temporal resource underutilization (RTRU; Xiang et al., Warp-Level Divergence in
// GPUs, section 3.2), summed over blocks. It is defined at UnderutilisationCounters.

#include <algorithm>

#include "sm/residency/resident_blocks.h"

namespace heddle::sm {
namespace {

constexpr std::uint64_t kWhole = 1000000;  ///< A ratio of 1, in millionths.
// For the geometric mean, a ratio counts as at least 0.1 %: a single block with a ratio of 0 would
// otherwise make the mean 0.
constexpr std::uint64_t kMinRatio = kWhole / 1000;

/// log2(kWhole / part) in units of 1/1024, computed in integers: the result is equal on every host.
std::uint64_t octaves_below_whole(std::uint64_t part) {
  constexpr int kFraction = 30;  // The number of fraction bits of `ratio`.
  std::uint64_t ratio = (kWhole << kFraction) / part;
  std::uint64_t octaves = 0;
  for (; ratio >= std::uint64_t{2} << kFraction; ratio /= 2) ++octaves;
  for (int bit = 0; bit < 10; ++bit) {
    ratio = ratio * ratio >> kFraction;
    octaves *= 2;
    if (ratio < std::uint64_t{2} << kFraction) continue;
    ratio /= 2;
    ++octaves;
  }
  return octaves;
}

}  // namespace

void UnderutilisationCounters::count(std::uint64_t warps, std::uint64_t sum,
                                     std::uint64_t longest) {
  ++blocks;
  const std::uint64_t allocated = warps * longest;
  const std::uint64_t wasted = allocated == 0 ? 0 : kWhole * (allocated - sum) / allocated;
  millionths += wasted;
  octaves += octaves_below_whole(std::max(wasted, kMinRatio));
}

void UnderutilisationCounters::declare(CounterList& counters) {
  counters.add("sm.ended_blocks", blocks, "blocks", "that have ended");
  counters.add(
      "sm.underutilisation", millionths, "millionths",
      "share of a block's resources that ended warps held until its end: summed over ended "
      "blocks");
  counters.add("sm.underutilisation_octaves", octaves, "1/1024 octaves",
               "log2 of 1 / that share (0.1 % at least): summed, for a geometric mean");
}

}  // namespace heddle::sm
