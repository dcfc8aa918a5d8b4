#pragma once

#include <cstddef>
#include <cstdint>

#include "base/enum_array.h"

namespace heddle::sm {

/// What a warp waits for. The reason is part of the simulated state: schedulers, scoreboards and
/// divergence policies make decisions by it. The stall causes in profiles are labels that follow
/// from it (cause_of() in sm/stalls/stall_cause.h); no decision depends on them.
enum class WaitReason : std::uint8_t {
  // An earlier instruction, from the kind that completes first to the kind that completes last:
  fixed_latency_result,   ///< A result of an arithmetic unit with a fixed latency.
  short_latency_result,   ///< A result of special functions, shared memory or a constant hit.
  long_latency_result,    ///< A result of other memory or of textures.
  chip_wide_instruction,  ///< A chip-wide instruction, which is executed between epochs.
  // The next instruction:
  free_slot,          ///< A free warp slot for the threads. Only with dynamic warp formation.
  branch_resolution,  ///< The resolution of its branch, and the fetch of the next instruction.
  fetch,              ///< The fetch of the next instruction.
  // Memory, other warps, or the end:
  overlapping_atomic,  ///< Its own atomic in flight, to an address of its next access.
  atomics_in_flight,   ///< Its atomics in flight, before a barrier, a fence or a release.
  fence,               ///< The commit of the multiprocessor's stores, after a fence.
  barrier,             ///< Other warps at a barrier, and the barrier's latency.
  last_accesses,       ///< Its last accesses and passes. It has executed its last instruction.
  block_end,           ///< The end of its block. It has ended itself.
};
inline constexpr std::size_t kWaitReasons = values_up_to(WaitReason::block_end);

template <class Value>
using ByWaitReason = EnumArray<WaitReason, Value, kWaitReasons>;

/// Whether the wait is long: until memory responds, or until other warps or multiprocessors act. A
/// scheduler with an active set replaces a warp that begins a long wait.
constexpr bool is_long(WaitReason reason) {
  switch (reason) {
    case WaitReason::long_latency_result:
    case WaitReason::chip_wide_instruction:
    case WaitReason::overlapping_atomic:
    case WaitReason::atomics_in_flight:
    case WaitReason::fence:
    case WaitReason::barrier:
    case WaitReason::last_accesses:
    case WaitReason::block_end:
      return true;
    case WaitReason::fixed_latency_result:
    case WaitReason::short_latency_result:
    case WaitReason::free_slot:
    case WaitReason::branch_resolution:
    case WaitReason::fetch:
      return false;
  }
  return false;
}

}  // namespace heddle::sm
