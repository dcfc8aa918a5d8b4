#pragma once

#include <cstdint>

namespace heddle::sm {

/// The place of a resident warp on its multiprocessor: 0 to 63.
using WarpSlot = std::uint32_t;
/// A set of resident warps, by slot.
using WarpSet = std::uint64_t;
inline constexpr std::uint32_t kMostWarps = 64;
inline constexpr WarpSlot kNoWarp = kMostWarps;

constexpr WarpSet set_of(WarpSlot warp) { return WarpSet{1} << warp; }

}  // namespace heddle::sm
