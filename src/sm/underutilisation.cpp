#include <algorithm>

#include "sm/residents.h"

namespace heddle::sm {
namespace {

constexpr std::uint64_t kWhole = 1000000;
// A block without any waste would make a geometric mean 0, whatever the others are: it counts as
// this much.
constexpr std::uint64_t kLeast = kWhole / 1000;

/// How many octaves `part` is below the whole, in 1/1024: in integers, so that it is the same on
/// every host.
std::uint64_t octaves_below_whole(std::uint64_t part) {
  constexpr int kFraction = 30;
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
  const std::uint64_t held = warps * longest;
  const std::uint64_t wasted = held == 0 ? 0 : kWhole * (held - sum) / held;
  millionths += wasted;
  octaves += octaves_below_whole(std::max(wasted, kLeast));
}

void UnderutilisationCounters::declare(CounterList& counters) {
  counters.add("sm.ended_blocks", blocks, "blocks", "that have ended");
  counters.add(
      "sm.underutilisation", millionths, "millionths",
      "of what warps of ended blocks held, wasted until the block's end: summed over them");
  counters.add("sm.underutilisation_octaves", octaves, "1/1024 octaves",
               "how far that is from the whole, 0.1 % at the least: summed, for a geometric mean");
}

}  // namespace heddle::sm
