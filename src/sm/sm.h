#pragma once

// One streaming multiprocessor (SM), simulated cycle by cycle.
//
// Simulated time is divided into epochs (gpu/epochs.h). During an epoch no message from another
// component can arrive, so a multiprocessor runs alone. It skips cycles in which nothing can
// happen. When an instruction issues, it is executed, and the cycle is computed in which its
// results will be available. Messages to other components are left in outboxes; messages from other
// components are delivered between epochs.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "exec/block/block.h"
#include "exec/livelock/activity.h"
#include "exec/memory/epoch_stores.h"
#include "memory/dram/address_map.h"
#include "memory/interconnect.h"
#include "memory/request.h"
#include "sm/accounting/stall_accounting.h"
#include "sm/branch/branch_unit.h"
#include "sm/divergence/divergence_description.h"
#include "sm/front_end/instruction_cache.h"
#include "sm/grid.h"
#include "sm/hazards/structural_hazards.h"
#include "sm/lookahead/lookahead_unit.h"
#include "sm/memory/load_store_unit.h"
#include "sm/memory/memory_stage.h"
#include "sm/pipeline/issue_counters.h"
#include "sm/pipeline/pipeline.h"
#include "sm/redundancy/redundancy.h"
#include "sm/residency/resident_blocks.h"
#include "sm/schedule/live_core_view.h"
#include "sm/schedule/warp_schedulers.h"
#include "sm/selection/selection.h"
#include "sm/sm_description.h"
#include "sm/storage/switched_off.h"
#include "sm/sub_cores/operand_activity.h"
#include "sm/sub_cores/sub_cores.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// The position of a multiprocessor in its chip.
struct SmPlace {
  std::uint16_t number = 0;  ///< From 0 on.
  std::uint32_t count = 1;   ///< The number of multiprocessors of the chip.
  std::uint32_t core_mhz = 1000;
  memory::InterconnectDescription interconnect{};
  memory::PortParameters crossbar_port{};
  memory::AddressMap partitions;
};

class Sm {
 public:
  Sm(const SmDescription& description, const SmPlace& place);
  Sm(const Sm&) = delete;
  Sm& operator=(const Sm&) = delete;

  // -- an epoch -----------------------------------------------------------------------------------
  /// Simulates the cycles before `until`. If an instruction faults, throws exec::SimulatedFault;
  /// now() is then the cycle of the fault.
  void advance(Cycle until);
  Cycle now() const { return now_; }

  // -- between epochs -----------------------------------------------------------------------------
  bool fits(const Grid& grid) const { return residents_.fits(grid); }
  /// For a launch whose blocks fit: the cycle in which the space for a block became free, if that
  /// cycle was in the last epoch; 0 otherwise.
  Cycle space_since(const Grid& grid) const { return residents_.space_since(grid); }
  /// Whether resident blocks have freed any resource in the last epoch.
  bool has_released() const { return residents_.has_released(); }
  /// From `at` on, the residency policy behaves as this side of the duel (gpu/duel.h). Has no
  /// effect on policies that do not duel.
  void follow(DuelSide side, Cycle at) { residents_.follow(side, at); }
  /// Admits the block of the grid with the number `index`; its first warps start at `at`. Its
  /// exec::Block is created when the multiprocessor runs next.
  void admit_block(const Grid& grid, std::uint64_t index, Cycle at) {
    residents_.admit_block({.grid = &grid, .index = index, .at = at}, now_);
  }
  /// The blocks that have ended since the caller last cleared the list.
  std::vector<EndedBlock>& ended_blocks() { return residents_.ended_blocks(); }
  /// The static warps that have ended since the caller last cleared the list. They are recorded
  /// only after note_lifetimes() has been called.
  std::vector<EndedWarp>& ended_warps() { return residents_.ended_warps(); }
  void note_lifetimes() { residents_.note_lifetimes(); }
  /// The requests for a partition that the caller has not yet taken.
  std::vector<memory::Request>& outbox(std::uint32_t partition) {
    return load_store_.outbox(partition);
  }
  /// Whether any outbox contains a request.
  bool has_sent() const { return load_store_.has_sent(); }
  void deliver(const memory::Response& response) { load_store_.deliver(response); }
  exec::EpochStores& stores() { return stores_; }
  /// Whether a warp waits to execute a chip-wide instruction.
  bool has_chip_wide() const { return pipeline_->has_chip_wide(); }
  /// Executes the chip-wide instructions for which warps wait; all stores must have been committed.
  /// Throws exec::SimulatedFault if an instruction faults.
  void execute_chip_wide() { pipeline_->execute_chip_wide(); }
  /// The first cycle in which the multiprocessor has work; never() if only a message from another
  /// component can give it work.
  Cycle next_event() const;
  /// Whether no block is resident and no memory access is in flight.
  bool idle() const { return residents_.blocks() == 0 && load_store_.idle(); }
  std::uint32_t resident_blocks() const { return residents_.blocks(); }
  /// The number of instructions that each resident block has executed so far.
  std::vector<BlockInstructions> block_instructions() const {
    return residents_.instruction_counts();
  }
  std::uint64_t warp_instructions() const { return issued_.warp_instructions; }
  std::uint64_t thread_instructions() const { return issued_.thread_instructions; }
  /// Adds the instructions that this multiprocessor has executed to the profile of the launch, if
  /// the launch has one.
  void add_profile(const Grid& grid) { residents_.add_profile(grid); }

  // -- launches -----------------------------------------------------------------------------------
  /// Called when a launch begins: the memories get the sizes of Grid::storage. If they change, the
  /// multiprocessor must be idle and the L1 clean. An L1 whose size changes loses its contents.
  void begin_launch(const Grid& grid);
  /// Counters start to count at cycle `at`, in which the multiprocessor must be idle.
  void begin_counting(Cycle at);
  /// Counts the cycles up to `at` that have not been counted yet: cycles without a warp, and waits
  /// of warps that have not ended.
  void settle(Cycle at);
  /// Called when a launch has ended and nothing is in flight: writes dirty data of the L1 back to
  /// memory. Returns whether the L1 contained dirty data.
  bool write_back(Cycle at);
  /// Called between launches, after write_back(): invalidates caches that are not coherent, and
  /// destroys block objects that are kept for reuse.
  void forget_launches();
  /// Adds the status of every thread, for messages.
  void add_statuses(std::vector<exec::WarpStatus>& statuses) const {
    pipeline_->add_statuses(statuses);
  }
  /// Finds out, between epochs, whether threads make progress. If no thread does, adds the status
  /// of every thread to `statuses`. Adds to `effort` the number of warp instructions that the
  /// livelock probe, which executes ahead to find endless loops, has executed.
  exec::Activity activity(std::vector<exec::WarpStatus>& statuses, std::uint64_t& effort) const;
  /// A block without a warp that can run, or null.
  const ResidentBlock* stuck_block() const { return pipeline_->stuck_block(); }
  std::uint32_t number() const { return number_; }
  /// From now on events are written to `log`; none are written if it is null.
  void trace(trace::Log* log) {
    for (SubCore& core : sub_cores_) core.front_end.trace(log);
    load_store_.trace(log);
    residents_.trace(log);
    warps_.trace(log);
  }
  /// The accesses to global memory since the caller last cleared the log: those of launches that
  /// have an observer.
  AccessLog& accesses() { return access_log_; }

  /// Injects a fault, before the first launch. Throws InputError if this multiprocessor detects no
  /// errors.
  void inject(FaultInjection& injection);

  void declare(CounterList& counters);

 private:
  void prefetch_state();
  void start_warps();
  void start_new_warps();
  void advance_memory(Cycle now);
  Cycle run_memory_until_change(Cycle until);

  // The warp table is aligned to cache lines of the host. It is the first member, so that no
  // padding precedes it.
  WarpTable warps_;
  SmDescription description_;
  std::uint16_t number_;
  Cycle now_;
  exec::EpochStores stores_;
  // The parts that instructions use.
  InstructionCache instruction_cache_;
  SubCores sub_cores_;
  std::unique_ptr<Redundancy> redundancy_;  ///< Null if redundancy is not exploited.
  std::unique_ptr<BranchUnit> branch_;
  std::unique_ptr<WrongPaths> wrong_paths_;  ///< Null if branches are not predicted.
  LoadStoreUnit load_store_;
  MemoryStage memory_;
  std::unique_ptr<LookaheadUnit> lookahead_;  ///< Null if no warp runs ahead.
  bool reuses_results_;  ///< Whether warps reuse what they have computed ahead.
  /// Completions that memory has reported and that the pipeline has not processed yet.
  std::vector<MemoryCompletion> completions_;
  // The parts that manage the warps.
  AccessLog access_log_{now_};
  ResidentBlocks residents_;
  std::unique_ptr<OperandActivity> operand_activity_;  ///< Null if no active set is observed.
  LiveCoreView core_view_;
  WarpSchedulers schedulers_;
  std::vector<StructuralHazards> hazards_;  ///< By sub-core.
  SwitchedOff switched_off_;
  SharedBankCounters without_conflicts_;
  Selection selection_;
  StallAccounting accounting_;
  IssueCounters issued_;
  std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace heddle::sm
