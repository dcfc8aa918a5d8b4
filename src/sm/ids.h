#pragma once

#include <bit>
#include <cstdint>

namespace heddle::sm {

/// The place of a resident warp on its multiprocessor: 0 to 63.
using WarpSlot = std::uint32_t;
/// A set of resident warps, by slot.
using WarpSet = std::uint64_t;
inline constexpr std::uint32_t kMostWarps = 64;
inline constexpr WarpSlot kNoWarp = kMostWarps;

constexpr WarpSet set_of(WarpSlot warp) { return WarpSet{1} << warp; }
/// Of a set that is not empty.
constexpr WarpSlot first_of(WarpSet warps) {
  return static_cast<WarpSlot>(std::countr_zero(warps));
}
constexpr std::uint64_t count_of(WarpSet warps) {
  return static_cast<std::uint64_t>(std::popcount(warps));
}

template <class Each>
constexpr void for_each_warp(WarpSet warps, Each&& each) {
  for (; warps != 0; warps &= warps - 1) each(first_of(warps));
}

}  // namespace heddle::sm
