#pragma once

// One streaming multiprocessor in time.
//
// It runs alone for as long as nothing from outside can reach it (an epoch): from event to event,
// issuing instructions, executing each as it issues, and computing then when its results come. What
// it has for others it leaves in outboxes; what others have for it is handed over between epochs.

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
#include "sm/branch/branch_unit.h"
#include "sm/dependence/dependence.h"
#include "sm/divergence/divergence_description.h"
#include "sm/front_end/front_end.h"
#include "sm/grid.h"
#include "sm/live_core_view.h"
#include "sm/memory/load_store_unit.h"
#include "sm/memory/memory_stage.h"
#include "sm/operand_activity.h"
#include "sm/operands/operands.h"
#include "sm/pipeline/issue_counters.h"
#include "sm/pipeline/pipeline.h"
#include "sm/redundancy/redundancy.h"
#include "sm/residents.h"
#include "sm/sm_description.h"
#include "sm/stall_accounting.h"
#include "sm/structural_hazards.h"
#include "sm/units/execution_units.h"
#include "sm/warp_schedulers.h"
#include "sm/warp_table.h"

namespace heddle::sm {

/// Where a multiprocessor is in its chip.
struct SmPlace {
  std::uint16_t number = 0;
  std::uint32_t count = 1;
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
  /// Runs the cycles before `until`. Throws exec::SimulatedFault; now() says when.
  void advance(Cycle until);
  Cycle now() const { return now_; }

  // -- between epochs -----------------------------------------------------------------------------
  bool fits(const Grid& grid) const { return residents_.fits(grid); }
  /// Of a launch whose blocks fit: when the end came that made the room, if that was in the epoch
  /// that has just run; 0 otherwise.
  Cycle room_since(const Grid& grid) const { return residents_.room_since(grid); }
  /// Whether anything that residents had has become free in that epoch.
  bool has_released() const { return residents_.has_released(); }
  /// Which of two ways its residency goes from `at` on, where it has two.
  void follow(DuelSide side, Cycle at) { residents_.follow(side, at); }
  /// Of an empty multiprocessor.
  Occupancy occupancy(const BlockNeeds& needs) const { return residents_.occupancy(needs); }
  /// Takes up a block, whose warps come at `at`. It is made when the multiprocessor next runs.
  void take_block(const Grid& grid, std::uint64_t index, Cycle at) {
    residents_.take({.grid = &grid, .index = index, .at = at}, now_);
  }
  /// What ended since they were last cleared; warps where they are to be noted.
  std::vector<EndedBlock>& ended_blocks() { return residents_.ended_blocks(); }
  std::vector<EndedWarp>& ended_warps() { return residents_.ended_warps(); }
  void note_lifetimes() { residents_.note_lifetimes(); }
  std::vector<memory::Request>& outbox(std::uint32_t partition) {
    return load_store_.outbox(partition);
  }
  bool has_sent() const { return load_store_.has_sent(); }
  void deliver(const memory::Response& response) { load_store_.deliver(response); }
  exec::EpochStores& stores() { return stores_; }
  /// Whether a warp is about to execute what touches all multiprocessors.
  bool has_chip_wide() const { return pipeline_->has_chip_wide(); }
  /// Executes those; everybody's stores must have been committed. Throws exec::SimulatedFault.
  void execute_chip_wide() { pipeline_->execute_chip_wide(); }
  /// The first cycle in which there is something to do; never where it waits for others.
  Cycle next_event() const;
  /// No blocks, and nothing under way.
  bool idle() const { return residents_.blocks() == 0 && load_store_.idle(); }
  std::uint32_t resident_blocks() const { return residents_.blocks(); }
  /// What its resident blocks have executed so far.
  std::vector<BlockCount> block_counts() const { return residents_.counts(); }
  std::uint64_t warp_instructions() const { return issued_.warp_instructions; }
  std::uint64_t thread_instructions() const { return issued_.thread_instructions; }
  /// Adds what it executed of a launch to the launch's profile, where there is one.
  void add_profile(const Grid& grid) { residents_.add_profile(grid); }

  // -- launches -----------------------------------------------------------------------------------
  /// Counting starts at `at`, where the multiprocessor must be idle.
  void begin_counting(Cycle at);
  /// Counts what has not been counted yet of the cycles up to `at`: those without a warp, and the
  /// waits of warps that have not ended.
  void settle(Cycle at);
  /// When a launch has ended and nothing is under way: what stores have left in the L1 leaves for
  /// memory. Whether there was any.
  bool write_back(Cycle at);
  /// Between launches, after that: caches that are not kept coherent forget what they hold, and
  /// blocks of what has ended are given up.
  void forget_launches();
  /// Adds where all threads are, for messages.
  void add_standings(std::vector<exec::Standing>& standings) const {
    pipeline_->add_standings(standings);
  }
  /// What its threads do, between epochs; where they are, if none is at work. Adds to `effort` what
  /// it took to find out, in warp instructions.
  exec::Activity activity(std::vector<exec::Standing>& standings, std::uint64_t& effort) const;
  /// A block none of whose warps can run, or null.
  const Resident* stuck_block() const { return pipeline_->stuck_block(); }
  std::uint32_t number() const { return number_; }
  /// What it does is noted there; nothing where it is null.
  void trace(trace::Log* log) {
    front_end_.trace(log);
    load_store_.trace(log);
    residents_.trace(log);
    warps_.trace(log);
  }

  void declare(CounterList& counters);

 private:
  void prefetch_state();
  void start_warps();
  void advance_memory(Cycle now);
  IssueCycle issue_in_turn();
  WarpSet with_room_in_vain(WarpSet warps) const;
  void issue_in_vain(WarpSlot warp);
  Cycle run_memory_until_change(Cycle until);

  // The warps are in lines of the host, and first, so that nothing is left free in front of them.
  WarpTable warps_;
  SmDescription description_;
  std::uint16_t number_;
  Cycle now_;
  exec::EpochStores stores_;
  // The parts that instructions book.
  FrontEnd front_end_;
  std::unique_ptr<Dependence> dependence_;
  std::unique_ptr<Operands> operands_;
  std::unique_ptr<Redundancy> redundancy_;  ///< Null where none is looked for.
  std::unique_ptr<BranchUnit> branch_;
  std::unique_ptr<WrongPaths> wrong_paths_;  ///< Null where no branch is predicted.
  ExecutionUnits units_;
  LoadStoreUnit load_store_;
  MemoryStage memory_;
  std::vector<MemoryCompletion> completions_;  ///< Told by it, and not to the pipeline yet.
  // What deals with the warps.
  Residents residents_;
  OperandActivity operand_activity_;
  LiveCoreView core_view_;
  WarpSchedulers schedulers_;
  StructuralHazards hazards_;
  StallAccounting accounting_;
  IssueCounters issued_;
  std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace heddle::sm
