#pragma once

// The pipeline moves the warps of a multiprocessor from instruction to instruction. For each
// instruction, it books the parts of the multiprocessor that the instruction uses.

#include <memory>
#include <vector>

#include "base/cycle.h"
#include "exec/block/block.h"
#include "exec/memory/epoch_stores.h"
#include "sm/branch/branch_unit.h"
#include "sm/branch/wrong_paths.h"
#include "sm/memory/memory_stage.h"
#include "sm/pipeline/issue_counters.h"
#include "sm/pipeline/policy_needs.h"
#include "sm/residency/resident_blocks.h"
#include "sm/schedule/warp_schedulers.h"
#include "sm/selection/issue_cycle.h"
#include "sm/sm_description.h"
#include "sm/sub_cores/sub_cores.h"
#include "sm/warps/warp_table.h"

namespace heddle::exec {
class LivelockProbe;
struct WarpStatus;
}  // namespace heddle::exec

namespace heddle::sm {

class LookaheadUnit;
class Redundancy;

/// The parts that the pipeline uses; the multiprocessor owns those that are references.
struct PipelineParts {
  const SmDescription& description;
  PolicyNeeds needs;
  std::uint32_t core_mhz;
  const Cycle& now;
  WarpTable& warps;
  ResidentBlocks& residents;
  WarpSchedulers& schedulers;
  SubCores& sub_cores;
  BranchUnit& branch;
  WrongPaths* wrong_paths;  ///< Null if branches are not predicted.
  MemoryStage& memory;
  LookaheadUnit* lookahead;  ///< Null if no warp runs ahead.
  Redundancy* redundancy;    ///< Null if redundancy is not exploited.
  exec::EpochStores& stores;
  IssueCounters& counters;
};

/// The interface of the pipeline. Its implementation, PipelineOf in sm/pipeline/pipeline_of.h, is
/// compiled once for each divergence policy: it calls the policy several times per instruction, and
/// virtual calls would be slow.
class Pipeline {
 public:
  Pipeline() = default;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  virtual ~Pipeline() = default;

  /// Prefetches, into the caches of the host, what the next instructions of these warps need.
  virtual void prefetch(WarpSet warps) = 0;

  // -- in a cycle ---------------------------------------------------------------------------------
  /// Issues an instruction of a warp that selection has picked: executes it, unless it is on a
  /// wrong path, and books the hardware that it uses. Issuing ahead is passed to the LookaheadUnit.
  virtual void issue(WarpSlot warp, IssueKind kind) = 0;
  /// Resumes the warps that WarpTable::wake() has returned: each starts, fetches, regroups or ends.
  virtual void wake(WarpSet warps) = 0;
  /// Processes a completion that memory has reported.
  virtual void complete(const MemoryCompletion& completion) = 0;

  /// Gives slots to the static warps in ResidentBlocks::starting().
  virtual void start_warps() = 0;

  // -- between epochs -----------------------------------------------------------------------------
  /// Resumes the warps that wait at fences. By now, all stores of earlier epochs are visible to the
  /// whole chip.
  virtual void resume_fenced() = 0;
  /// Whether a warp waits at a fence.
  virtual bool any_fenced() const = 0;
  /// Whether a warp waits to execute a chip-wide instruction.
  virtual bool has_chip_wide() const = 0;
  /// Executes the chip-wide instructions; all stores must have been committed. Throws
  /// exec::SimulatedFault.
  virtual void execute_chip_wide() = 0;

  // -- diagnosis of launches that do not end, between epochs --------------------------------------
  /// Adds the status of every thread to `statuses`.
  virtual void add_statuses(std::vector<exec::WarpStatus>& statuses) const = 0;
  /// If no thread makes progress, adds the status of every thread and returns true. Returns false
  /// if any thread makes progress.
  virtual bool add_if_idle(exec::LivelockProbe& probe,
                           std::vector<exec::WarpStatus>& statuses) const = 0;
  /// A block without a warp that can run, or null.
  virtual const ResidentBlock* stuck_block() const = 0;
};

/// Makes the pipeline for the divergence policy that the description names.
std::unique_ptr<Pipeline> make_pipeline(const PipelineParts& parts);

}  // namespace heddle::sm
