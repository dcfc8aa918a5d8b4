#pragma once

// Stall causes of warps, with the names of NVIDIA's Nsight Compute, and the coarser classes of
// stalls of Kim et al., Warped-Preexecution. They are labels for counters, traces and messages.
// What a warp waits for is its WaitReason.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/enum_array.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

/// Why a warp does not issue. Most names are those of warp states in Nsight Compute.
enum class StallCause : std::uint8_t {
  math_pipe_throttle,  ///< The arithmetic unit that it needs is busy.
  /// The queue of the scratchpad, the constant cache or the texture unit is full.
  mio_throttle,
  lg_throttle,  ///< The queue to local and global memory is full.
  dispatch,  ///< Its scheduler is still busy, or no operand collector or scoreboard entry is free.
  withheld,  ///< It could issue, but its scheduler's policy excludes it from its choice.
  branch_resolving,  ///< Its branch is not resolved yet.
  wait,              ///< It waits for a result of fixed latency.
  no_instruction,    ///< The next instruction has not been fetched and decoded.
  /// It waits for the scratchpad, the special-function unit or the constant cache.
  short_scoreboard,
  long_scoreboard,  ///< It waits for local, global or texture memory, or for constants from memory.
  membar,           ///< It is at a fence or barrier, and waits for atomics in flight.
  barrier,          ///< It waits at a barrier of its block.
  sleeping,         ///< It waits for the rest of the chip, as calls into the run-time system do.
  drain,            ///< It has ended; its block has not.
};
inline constexpr std::size_t kStallCauses = values_up_to(StallCause::drain);

template <class Value>
using ByStallCause = EnumArray<StallCause, Value, kStallCauses>;

/// All causes, ordered by how near a warp that they stall is to issuing, nearest first. A cycle in
/// which a scheduler issues nothing is attributed to the first cause that stalls one of its warps.
inline constexpr std::array<StallCause, kStallCauses> kNearestToIssue = {
    StallCause::math_pipe_throttle,
    StallCause::mio_throttle,
    StallCause::lg_throttle,
    StallCause::dispatch,
    StallCause::withheld,
    StallCause::branch_resolving,
    StallCause::wait,
    StallCause::no_instruction,
    StallCause::short_scoreboard,
    StallCause::long_scoreboard,
    StallCause::membar,
    StallCause::barrier,
    StallCause::sleeping,
    StallCause::drain,
};
static_assert(
    [] {
      ByStallCause<bool> has_a_place{};
      for (const StallCause cause : kNearestToIssue) has_a_place[cause] = true;
      for (const bool has : has_a_place) {
        if (!has) return false;
      }
      return true;
    }(),
    "every cause is listed");

/// The stall cause of the cycles in which a warp waits for `reason`.
constexpr StallCause cause_of(WaitReason reason) {
  switch (reason) {
    case WaitReason::fixed_latency_result:
    case WaitReason::free_slot:
      return StallCause::wait;
    case WaitReason::short_latency_result:
      return StallCause::short_scoreboard;
    case WaitReason::long_latency_result:
    case WaitReason::overlapping_atomic:
      return StallCause::long_scoreboard;
    case WaitReason::chip_wide_instruction:
      return StallCause::sleeping;
    case WaitReason::branch_resolution:
      return StallCause::branch_resolving;
    case WaitReason::fetch:
      return StallCause::no_instruction;
    case WaitReason::atomics_in_flight:
    case WaitReason::fence:
      return StallCause::membar;
    case WaitReason::barrier:
      return StallCause::barrier;
    case WaitReason::last_accesses:
    case WaitReason::block_end:
      return StallCause::drain;
  }
  return StallCause::wait;
}

/// The cause's name in counters and traces.
std::string_view name_of(StallCause cause);
/// What a warp with this cause waits for, as the end of a sentence.
std::string_view meaning_of(StallCause cause);

/// The classes of stalls of Kim et al., Warped-Preexecution, section 3.
enum class PreexecClass : std::uint8_t {
  long_latency_raw,
  short_latency_raw,
  lsu_full,
  sp_sfu_full,
  instruction_buffer_empty,
  barrier_wait,
  no_instruction_left,
};
inline constexpr std::size_t kPreexecClasses = values_up_to(PreexecClass::no_instruction_left);

/// The class to which the cause belongs.
PreexecClass class_of(StallCause cause);
std::string_view name_of(PreexecClass preexec_class);
std::string_view meaning_of(PreexecClass preexec_class);

}  // namespace heddle::sm
