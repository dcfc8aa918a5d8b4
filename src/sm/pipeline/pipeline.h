#pragma once

// What leads a multiprocessor's warps from instruction to instruction, and the parts that it books.

#include <memory>
#include <vector>

#include "base/cycle.h"
#include "exec/block/block.h"
#include "exec/memory/epoch_stores.h"
#include "sm/branch/branch_unit.h"
#include "sm/branch/wrong_paths.h"
#include "sm/dependence/dependence.h"
#include "sm/front_end/front_end.h"
#include "sm/memory/memory_stage.h"
#include "sm/operands/operands.h"
#include "sm/pipeline/issue_counters.h"
#include "sm/residents.h"
#include "sm/sm_description.h"
#include "sm/units/execution_units.h"
#include "sm/warp_schedulers.h"
#include "sm/warp_table.h"

namespace heddle::exec {
class Rehearsal;
struct Standing;
}  // namespace heddle::exec

namespace heddle::sm {

class Redundancy;

/// The parts, which the multiprocessor owns.
struct PipelineParts {
  const SmDescription& description;
  std::uint32_t core_mhz;
  const Cycle& now;
  WarpTable& warps;
  Residents& residents;
  WarpSchedulers& schedulers;
  FrontEnd& front_end;
  Dependence& dependence;
  Operands& operands;
  BranchUnit& branch;
  WrongPaths* wrong_paths;  ///< Null where no branch is predicted.
  ExecutionUnits& units;
  MemoryStage& memory;
  Redundancy* redundancy;  ///< Null where none is looked for.
  exec::EpochStores& stores;
  IssueCounters& counters;
};

/// Compiled for each answer to which threads travel together (sm/divergence), as that is asked
/// several times for each instruction: PipelineOf in sm/pipeline/pipeline_of.h.
class Pipeline {
 public:
  Pipeline() = default;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  virtual ~Pipeline() = default;

  /// Lets the host fetch what these warps' next instructions will need.
  virtual void prefetch(WarpSet warps) = 0;

  // -- in a cycle ---------------------------------------------------------------------------------
  /// A warp that is ready issues: its instruction is executed, and what it takes is booked.
  virtual void issue(WarpSlot warp) = 0;
  /// Warps whose cycle has come, and which wait for more than room to issue.
  virtual void wake(WarpSet warps) = 0;
  virtual void complete(const MemoryCompletion& completion) = 0;

  /// Gives those of the residents' warps slots that start.
  virtual void start_warps() = 0;

  // -- between epochs -----------------------------------------------------------------------------
  /// What was stored in the epochs before is everybody's: warps at fences go on.
  virtual void resume_fenced() = 0;
  virtual bool any_fenced() const = 0;
  /// Whether a warp is about to execute what touches all multiprocessors.
  virtual bool has_chip_wide() const = 0;
  /// Executes those; everybody's stores must have been committed. Throws exec::SimulatedFault.
  virtual void execute_chip_wide() = 0;

  // -- launches that do not end, between epochs ---------------------------------------------------
  /// Adds where all threads are.
  virtual void add_standings(std::vector<exec::Standing>& standings) const = 0;
  /// The same where none of them is at work; false where some are.
  virtual bool add_idle(exec::Rehearsal& rehearsal,
                        std::vector<exec::Standing>& standings) const = 0;
  /// A block none of whose warps can run, or null.
  virtual const Resident* stuck_block() const = 0;
};

/// The one for what the description says of divergence.
std::unique_ptr<Pipeline> make_pipeline(const PipelineParts& parts);

}  // namespace heddle::sm
