#include "sm/memory/local_memory_map.h"

#include "exec/memory/address_space.h"
#include "sm/ids.h"

namespace heddle::sm {
namespace {

constexpr std::uint64_t kLocalBase = std::uint64_t{1} << 44;  ///< Above all allocations.
constexpr std::uint64_t kWordStride = 128;  ///< In bytes: one word for each of 32 threads.

}  // namespace

const memory::LaneAddresses& LocalMemoryMap::translate(const MemoryPass& pass, LaneMask lanes,
                                                       std::uint32_t bytes_per_lane,
                                                       std::uint32_t local_bytes) {
  const std::uint64_t static_warp_bytes = (std::uint64_t{local_bytes} + 15) / 16 * 16 * 32;
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    const auto lane = static_cast<std::size_t>(lanes.lowest());
    const std::uint64_t hardware_warp =
        pass.hardware_warps != nullptr ? (*pass.hardware_warps)[lane] : pass.hardware_warp;
    const std::uint64_t base = kLocalBase + (sm_ * kMaxWarps + hardware_warp) * static_warp_bytes;
    const std::uint64_t offset = exec::offset_in_window((*pass.addresses)[lane]);
    // The elements that the lanes access are adjacent. An element of more than a word takes several
    // strides.
    const std::uint64_t element = offset / bytes_per_lane * bytes_per_lane;
    translated_[lane] = bytes_per_lane >= 4
                            ? base + element / 4 * kWordStride + lane * bytes_per_lane
                            : base + offset / 4 * kWordStride + lane * 4 + offset % 4;
  }
  return translated_;
}

}  // namespace heddle::sm
