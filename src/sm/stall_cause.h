#pragma once

// Why warps wait, by today's names and by those of the pre-execution paper.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/enum_array.h"

namespace heddle::sm {

/// Why a warp does not issue, by the names that Nsight Compute gives to a warp's states.
enum class StallCause : std::uint8_t {
  math_pipe_throttle,  ///< The arithmetic unit that it needs is taken.
  mio_throttle,        ///< The scratchpad's or the texture unit's queue is full.
  lg_throttle,         ///< The queue to local and global memory is full.
  dispatch,  ///< Its scheduler has just issued, or no collector or scoreboard entry is free.
  withheld,  ///< It could issue, but its scheduler's policy does not choose from it.
  branch_resolving,  ///< It is not known yet where it goes on.
  wait,              ///< For a result of fixed latency.
  no_instruction,    ///< The next instruction has not been fetched and decoded.
  short_scoreboard,  ///< For the scratchpad, the special-function unit or the constant cache.
  long_scoreboard,   ///< For local, global or texture memory, or constants that come from memory.
  membar,            ///< A fence or barrier that waits for atomics under way.
  barrier,           ///< At a barrier of its block.
  sleeping,          ///< For the rest of the chip, as calls into the run-time system do.
  drain,             ///< It has ended; its block has not.
};
inline constexpr std::size_t kStallCauses = values_up_to(StallCause::drain);

template <class Value>
using ByStallCause = EnumArray<StallCause, Value, kStallCauses>;

/// The causes in the order of a scheduler's account: of a cycle without issue, the cause is that of
/// the warp which is nearest to issuing, the one whose cause comes first here.
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
    "each cause has its place");

/// What a warp waits for until memory, other warps or other multiprocessors have done something.
constexpr bool is_long(StallCause cause) {
  switch (cause) {
    case StallCause::long_scoreboard:
    case StallCause::membar:
    case StallCause::barrier:
    case StallCause::sleeping:
    case StallCause::drain:
      return true;
    case StallCause::math_pipe_throttle:
    case StallCause::mio_throttle:
    case StallCause::lg_throttle:
    case StallCause::dispatch:
    case StallCause::withheld:
    case StallCause::branch_resolving:
    case StallCause::wait:
    case StallCause::no_instruction:
    case StallCause::short_scoreboard:
      return false;
  }
  return false;
}

std::string_view name_of(StallCause cause);
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

/// Each cause belongs to one class.
PreexecClass class_of(StallCause cause);
std::string_view name_of(PreexecClass preexec_class);
std::string_view meaning_of(PreexecClass preexec_class);

}  // namespace heddle::sm
