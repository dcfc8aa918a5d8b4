#pragma once

// A thread grouping is the part of a divergence policy that the pipeline calls. It defines which
// threads share a warp slot and issue together.
//
// A static warp is 32 threads of a block with consecutive numbers. One exec::Warp holds their
// registers. The threads that share a slot belong to one static warp or to several.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "exec/block/block.h"
#include "sm/ids.h"
#include "sm/pipeline/issue_table.h"

namespace heddle::exec {
class LivelockProbe;
struct WarpStatus;
}  // namespace heddle::exec

namespace heddle::sm {

struct ResidentBlock;

/// A static warp, with those of its threads that are at the instruction which a slot executes.
struct StaticWarp {
  exec::Block* block = nullptr;
  exec::Warp* warp = nullptr;
  HardwareWarpId hardware_warp = 0;
  LaneMask path{};  ///< The lanes of these threads, before the guard is evaluated.
};

/// Threads in different lanes that go through a unit together.
struct Pass {
  LaneMask lanes;
  /// The static warp of all its threads; null if they belong to several.
  const StaticWarp* static_warp = nullptr;
};

/// What a warp does after it has executed an instruction.
struct NextStep {
  enum class Kind : std::uint8_t {
    continues,         ///< The warp continues at `pc`.
    waits_at_barrier,  ///< The warp waits at a barrier for other warps.
    regroups,          ///< The threads leave the pipeline and are grouped into warps again.
    finished,          ///< All threads have exited.
    dissolved,         ///< No thread is left in the slot: all wait elsewhere, or have exited.
  };
  Kind kind = Kind::continues;
  std::uint32_t pc = 0;
};

/// The members that a thread grouping must have. The pipeline is compiled for each one.
template <class T>
concept ThreadGrouping = requires(T& grouping, const T& constant, WarpSlot warp,
                                  const IssueInfo& instruction, Cycle at,
                                  const ResidentBlock& resident, exec::LivelockProbe& probe,
                                  std::vector<exec::WarpStatus>& statuses) {
  /// Whether threads are regrouped after every instruction (Kind::regroups).
  { T::kRegroupsEachInstruction } -> std::convertible_to<bool>;
  // -- warps start and end ------------------------------------------------------------------------
  grouping.start_warps();  ///< Gives slots to the warps in ResidentBlocks::starting().
  grouping.start(warp);    ///< The warp starts to run.
  grouping.end(warp, at);  ///< All threads have exited, and no access is in flight.

  // -- an instruction -----------------------------------------------------------------------------
  grouping.fetched(warp);  ///< The next instruction of the warp is being fetched.
  /// Prefetches, on the host, what the instruction at a program counter needs.
  grouping.prefetch(warp, std::uint32_t{});
  grouping.picked(warp);  ///< The scheduler has picked the warp.
  /// Prepares the next instruction: static_warps() then returns those that execute it, and their
  /// contexts are ready for it.
  grouping.enter(warp);
  { grouping.static_warps(warp) } -> std::convertible_to<std::span<const StaticWarp>>;
  /// After enter(): the passes in which the threads go through their unit. An atomic has one pass
  /// for each static warp.
  grouping.passes(warp, instruction);
  /// After enter(): executes the instruction. Threads that this releases resume at `at`.
  grouping.execute(warp, at);
  grouping.skip(warp);  ///< Instead of execute(): the instruction has been executed elsewhere.
  { grouping.next(warp) } -> std::same_as<NextStep>;
  /// Resumes, at `at`, other warps that the executed barrier or exit has released.
  grouping.release_others(warp, std::uint32_t{}, instruction, at);
  /// Ends, at `at`, static warps all of whose threads have exited, unless end() does that.
  grouping.end_finished_static_warps(at);
  /// After Kind::regroups: groups the threads with others at the same instruction.
  grouping.regroup(warp);

  // -- launches that do not end, between epochs ---------------------------------------------------
  constant.add_statuses(statuses);  ///< Adds the status of every thread.
  /// Adds the status of every thread if no thread makes progress. Returns false if any does.
  { constant.add_if_idle(probe, statuses) } -> std::same_as<bool>;
  /// Whether all warps of the block may be waiting for each other.
  { constant.may_be_stuck(resident) } -> std::same_as<bool>;
};

}  // namespace heddle::sm
