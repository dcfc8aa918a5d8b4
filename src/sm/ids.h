#pragma once

#include <bit>
#include <cstdint>

namespace heddle::sm {

/// The number of a warp slot of a multiprocessor, 0 to 63. A warp is what occupies a slot: threads
/// that issue together. The comments in sm/ often say "slot" for a warp slot.
using WarpSlot = std::uint32_t;
/// The number of a hardware warp of a multiprocessor: 0 to 63. A hardware warp holds the registers
/// and the local memory of one static warp (32 threads of a block with consecutive numbers). It
/// stays the same even if the threads pass through the pipeline in several warp slots.
using HardwareWarpId = std::uint32_t;
/// A set of warp slots, or a set of hardware warps: bit i is set if number i is in the set.
using WarpSet = std::uint64_t;
inline constexpr std::uint32_t kMaxWarps = 64;
inline constexpr WarpSlot kNoWarp = kMaxWarps;  ///< No slot, or no hardware warp.

/// The contexts of a warp slot: what its threads execute, with program counter, registers and
/// control flow. What is in flight belongs to one of them.
enum class ContextKind : std::uint8_t {
  normal,  ///< The program's execution.
  ahead,   ///< A copy, on which the warp runs ahead while it waits (sm/lookahead).
};

constexpr WarpSet set_of(WarpSlot warp) { return WarpSet{1} << warp; }
/// The lowest slot in the set, which must not be empty.
constexpr WarpSlot first_of(WarpSet warps) {
  return static_cast<WarpSlot>(std::countr_zero(warps));
}
constexpr std::uint64_t count_of(WarpSet warps) {
  return static_cast<std::uint64_t>(std::popcount(warps));
}

/// Calls each(warp) for the members of the set, lowest first.
template <class Each>
constexpr void for_each_warp(WarpSet warps, Each&& each) {
  for (; warps != 0; warps &= warps - 1) each(first_of(warps));
}

}  // namespace heddle::sm
