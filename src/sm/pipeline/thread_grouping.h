#pragma once

// A thread grouping is the part of a divergence policy that the pipeline calls. It decides which
// threads share a warp slot and issue together.
//
// A static warp is 32 threads of a block with consecutive numbers; one exec::Warp contains their
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
#include "sm/instructions/issue_table.h"
#include "sm/threads/static_warp.h"

namespace heddle::exec {
class LivelockProbe;
struct WarpStatus;
}  // namespace heddle::exec

namespace heddle::sm {

struct ResidentBlock;

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
  grouping.start(warp);    ///< The warp's start cycle has come.
  grouping.end(warp, at);  ///< All threads have exited, and no access is in flight: ends the warp.

  // -- an instruction -----------------------------------------------------------------------------
  grouping.note_fetch(warp);  ///< The fetch of the warp's next instruction begins.
  /// Prefetches, on the host, what the instruction at a program counter needs.
  grouping.prefetch(warp, std::uint32_t{});
  grouping.note_pick(warp);  ///< The scheduler has picked the warp.
  /// Prepares the next instruction. Afterwards static_warps() returns the static warps that execute
  /// it, and their exec::WarpContext describes it.
  grouping.enter(warp);
  { grouping.static_warps(warp) } -> std::convertible_to<std::span<const StaticWarp>>;
  /// After enter(): the passes in which the threads go through the unit. An atomic has one pass for
  /// each static warp.
  grouping.passes(warp, instruction);
  /// After enter(): executes the instruction. Threads that the instruction releases resume at `at`.
  grouping.execute(warp, at);
  grouping.skip(warp);  ///< Instead of execute(): the instruction has been executed elsewhere.
  /// After execute() or skip(): what the warp does next.
  { grouping.next(warp) } -> std::same_as<NextStep>;
  /// Resumes, at `at`, other warps that the executed barrier or exit has released.
  grouping.release_others(warp, std::uint32_t{}, instruction, at);
  /// Ends, at `at`, the static warps whose threads have all exited. Does nothing if end() ends
  /// them.
  grouping.end_finished_static_warps(at);
  /// After Kind::regroups: groups the threads with others at the same instruction.
  grouping.regroup(warp);

  // -- diagnosis of launches that do not end, between epochs --------------------------------------
  constant.add_statuses(statuses);  ///< Adds the status of every thread.
  /// If no thread makes progress, adds the status of every thread and returns true. Returns false
  /// if any thread makes progress.
  { constant.add_if_idle(probe, statuses) } -> std::same_as<bool>;
  /// Whether all warps of the block may be waiting for each other.
  { constant.may_be_stuck(resident) } -> std::same_as<bool>;
};

}  // namespace heddle::sm
