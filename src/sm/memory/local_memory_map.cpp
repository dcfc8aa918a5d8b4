#include "sm/memory/local_memory_map.h"

#include "exec/memory/address_space.h"
#include "sm/ids.h"

namespace heddle::sm {
namespace {

constexpr std::uint64_t kLocalBase = std::uint64_t{1} << 44;
constexpr std::uint64_t kWordRow = 128;  ///< A word of each of 32 threads.

}  // namespace

const memory::LaneAddresses& LocalMemoryMap::translate(const MemoryPass& pass, LaneMask lanes,
                                                       std::uint32_t bytes_per_lane,
                                                       std::uint32_t local_bytes) {
  const std::uint64_t bytes_of_a_row = (std::uint64_t{local_bytes} + 15) / 16 * 16 * 32;
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    const auto lane = static_cast<std::size_t>(lanes.lowest());
    const std::uint64_t home = pass.homes != nullptr ? (*pass.homes)[lane] : pass.home;
    const std::uint64_t base = kLocalBase + (sm_ * kMostWarps + home) * bytes_of_a_row;
    const std::uint64_t offset = exec::offset_in_window((*pass.addresses)[lane]);
    // Whole elements of the lanes lie side by side, wide ones over several rows of words.
    const std::uint64_t element = offset / bytes_per_lane * bytes_per_lane;
    translated_[lane] = bytes_per_lane >= 4 ? base + element / 4 * kWordRow + lane * bytes_per_lane
                                            : base + offset / 4 * kWordRow + lane * 4 + offset % 4;
  }
  return translated_;
}

}  // namespace heddle::sm
