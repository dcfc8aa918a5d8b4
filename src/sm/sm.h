#pragma once

// One streaming multiprocessor in time.
//
// It runs alone for as long as nothing from outside can reach it (an epoch): from event to event,
// issuing instructions, executing each as it issues, and computing then when its results come. What
// it has for others it leaves in outboxes; what others have for it is handed over between epochs.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/host_lines.h"
#include "base/ring_queue.h"
#include "base/slot_table.h"
#include "exec/block.h"
#include "exec/deferred_atomic.h"
#include "exec/epoch_stores.h"
#include "exec/execution_profile.h"
#include "memory/dram/address_map.h"
#include "memory/interconnect.h"
#include "memory/request.h"
#include "sm/branch/branch_unit.h"
#include "sm/dependence/dependence.h"
#include "sm/divergence/formed_warp.h"
#include "sm/divergence/large_warp.h"
#include "sm/divergence/warp_pool.h"
#include "sm/front_end/front_end.h"
#include "sm/grid.h"
#include "sm/ids.h"
#include "sm/memory/load_store_unit.h"
#include "sm/operands/operands.h"
#include "sm/residency/residency.h"
#include "sm/schedule/scheduler.h"
#include "sm/sm_counters.h"
#include "sm/sm_description.h"
#include "sm/units/execution_units.h"
#include "sm/wake_wheel.h"
#include "sm/warp_lifetime.h"

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
  /// Runs the cycles before `until`. Throws exec::SimulatedFault; now() tells when.
  void advance(Cycle until);
  Cycle now() const { return now_; }

  // -- between epochs -----------------------------------------------------------------------------
  bool fits(const Grid& grid) const { return residency_->fits(grid.needs); }
  /// Of an empty multiprocessor.
  Occupancy occupancy(const BlockNeeds& needs) const { return residency_->occupancy(needs); }
  /// Takes up a block, whose warps begin at `at`. It is made when the multiprocessor next runs.
  void take_block(const Grid& grid, std::uint64_t index, Cycle at);
  struct BlockCount {
    std::uint32_t grid = 0;  ///< Grid::number
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
  };
  struct EndedBlock : BlockCount {
    Cycle at;
  };
  /// The blocks that ended since the last call.
  std::vector<EndedBlock>& ended_blocks() { return ended_blocks_; }
  /// The warps of a launch that ended since the last call, where they are to be noted.
  struct EndedWarp : WarpLifetime {
    std::uint32_t grid = 0;  ///< Grid::number
  };
  void note_lifetimes() { notes_lifetimes_ = true; }
  std::vector<EndedWarp>& ended_warps() { return ended_warps_; }
  std::vector<memory::Request>& outbox(std::uint32_t partition) {
    return memory_.outbox(partition);
  }
  bool has_sent() const { return memory_.has_sent(); }
  void deliver(const memory::Response& response) { memory_.deliver(response); }
  exec::EpochStores& stores() { return stores_; }
  /// Whether a warp is about to execute what touches all multiprocessors.
  bool has_chip_wide() const { return !chip_wide_.empty(); }
  /// Executes those; everybody's stores must have been committed. Throws exec::SimulatedFault.
  void execute_chip_wide();
  /// The first cycle in which there is something to do; never where it waits for others.
  Cycle next_event() const;
  /// No blocks, and nothing under way.
  bool idle() const { return resident_blocks_ == 0 && memory_.idle(); }
  std::uint32_t resident_blocks() const { return resident_blocks_; }
  /// What its resident blocks have executed so far.
  std::vector<BlockCount> block_counts() const;
  std::uint64_t warp_instructions() const { return counters_.warp_instructions; }
  /// Adds what it executed of a launch to the launch's profile, where there is one.
  void add_profile(const Grid& grid);

  // -- launches -----------------------------------------------------------------------------------
  /// Counting begins at `at`, where the multiprocessor must be idle.
  void begin_counting(Cycle at);
  /// Counts what has not been counted yet of the cycles up to `at`: those without a warp, and the
  /// waits of warps that have not ended.
  void settle(Cycle at);
  /// Between launches: caches that are not kept coherent forget what they hold, and blocks of what
  /// has ended are given up.
  void forget_launches();
  /// The state of its warps, a line each, for messages.
  std::string describe_warps() const;
  /// A block none of whose warps can run, or null.
  const exec::Block* stuck_block() const;
  std::uint32_t number() const { return place_.number; }

  void declare(CounterList& counters);

 private:
  static constexpr std::uint32_t kNoAtomic = ~std::uint32_t{0};

  struct alignas(kHostLineBytes) Slot {
    exec::Warp* warp = nullptr;  ///< And its block; null where `wide` has the threads.
    exec::Block* block = nullptr;
    WideWarp* wide = nullptr;
    const Grid* grid = nullptr;
    const IssueInfo* next = nullptr;
    exec::ExecutionProfile* profile = nullptr;
    std::uint32_t pc = 0;
    std::uint32_t resident = 0;
    Cycle begin;      ///< When it came.
    Cycle since;      ///< When it began to wait.
    Cycle ready_at;   ///< When it could issue, or never().
    Cycle available;  ///< When its next instruction is there.
    StallCause cause = StallCause::wait;
    StallCause available_cause = StallCause::no_instruction;
    bool blocked = false;     ///< It waits for a completion.
    bool must_fetch = false;  ///< At ready_at it is only fetched.
    bool starting = false;    ///< At ready_at it comes with its block.
    bool leaving = false;     ///< At ready_at its threads are formed anew.
    std::uint8_t rows = 1;    ///< Of 32 threads each, that it comes with.
    bool finished = false;    ///< It executes no more; perhaps accesses are under way.
    bool ended = false;       ///< Nor that: it waits for its block's end.
    std::uint32_t memory_under_way = 0;
    std::uint32_t atomics_under_way = 0;
    std::uint32_t first_atomic = kNoAtomic;
  };
  struct Resident {
    std::unique_ptr<exec::Block> block;
    const Grid* grid = nullptr;
    std::array<WarpSlot, 32> homes{};  ///< Of its warps: their slots, where they travel alone.
    std::uint32_t live_warps = 0;
    std::uint32_t waiting = 0;  ///< At a barrier, as of the last look.
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    Cycle last_end;
  };
  struct TakenBlock {
    const Grid* grid = nullptr;
    std::uint64_t index = 0;
    Cycle at;
  };
  /// Of a row of 32 threads, where not each has a slot for itself.
  struct Home {
    std::uint32_t resident = 0;
    std::uint32_t warp = 0;  ///< Of its block.
    Cycle begin;
  };
  /// Threads for which there is no slot.
  struct Unplaced {
    Company company;
    const Grid* grid = nullptr;
    Cycle at;  ///< When they can go on.
    StallCause cause = StallCause::wait;
    bool starting = false;
  };
  struct Pending {
    WarpSlot warp = 0;
    std::uint32_t parts = 0;  ///< Completions to come.
    std::uint32_t first_atomic = kNoAtomic;
    const IssueInfo* instruction = nullptr;
    Cycle latest;
  };
  struct Atomic final : memory::AtomicWork {
    void perform(LaneMask lanes) override { work.perform(lanes); }
    exec::DeferredAtomic work;
    exec::Warp* row = nullptr;                      ///< Whose it is.
    std::uint32_t next = kNoAtomic;                 ///< Of the same slot's.
    std::uint32_t next_of_instruction = kNoAtomic;  ///< Of the same instruction's.
  };

  /// Warps that are ready and find no room, by what each needs.
  struct Throttled {
    WarpSet math = 0;  ///< An arithmetic unit, or nothing.
    WarpSet mio = 0;   ///< The scratchpad, constants or textures.
    WarpSet lg = 0;    ///< Local or global memory.
  };

  /// What a memory instruction asks for.
  struct Access {
    MemoryAction action = MemoryAction::load;
    LaneMask lanes{};
    const memory::LaneAddresses* addresses = nullptr;
    std::uint32_t home = 0;                               ///< Of the lanes' row.
    const std::array<std::uint8_t, 32>* homes = nullptr;  ///< Of each lane's, if they differ.
    std::uint32_t atomic = kNoAtomic;                     ///< To be performed where it arrives.
  };
  /// Lanes of several rows that access memory together.
  struct GatheredPass {
    LaneMask lanes{};
    memory::LaneAddresses addresses{};
    std::array<std::uint8_t, 32> homes{};
  };

  // issue.cpp
  void issue(WarpSlot warp);
  void issue_arithmetic(WarpSlot warp);
  void issue_access(WarpSlot warp);
  void issue_atomic(WarpSlot warp);
  void issue_shared_atomic(WarpSlot warp);
  void finish_access(WarpSlot warp, Cycle done);
  void issue_control(WarpSlot warp);
  void follow_control(WarpSlot warp, const BranchOutcome& outcome, Cycle issued);
  void follow(WarpSlot warp, Cycle from, StallCause cause);
  Cycle left_pipeline(Cycle start) const;
  void count_issue(const Slot& slot);
  bool must_wait_for_atomics(const Slot& slot) const;
  bool meets_atomic(const Slot& slot, exec::Warp& row, const exec::Decoded& decoded) const;
  void tell_time(const Slot& slot, exec::LaneContext& context) const;

  // wide_issue.cpp
  void issue_wide(WarpSlot warp);
  void issue_wide_arithmetic(WarpSlot warp);
  void issue_wide_access(WarpSlot warp, MemoryAction action);
  void issue_wide_atomic(WarpSlot warp);
  void issue_wide_control(WarpSlot warp);
  void issue_wide_chip_wide(WarpSlot warp);
  void execute_wide_chip_wide(WarpSlot warp);
  void execute_wide(WarpSlot warp, Cycle released_at);
  template <class Each>
  Cycle for_each_pass(WarpSlot warp, Each each);
  void gather_passes(const WideWarp& wide);
  void count_wide_issue(const Slot& slot);
  void end_wide_issue(WarpSlot warp, Cycle last, Cycle done, StallCause cause);

  // large_warps.cpp
  void start_large_warps();
  void start_large_warp(const TakenBlock& taken, std::vector<WideRow>& rows);
  void look_at_large_warps();
  void end_large_warp(WarpSlot warp, Cycle at);

  // formed_warps.cpp
  void start_formed_warps();
  void leave_pipeline(WarpSlot warp, Cycle from, StallCause cause);
  void form_anew(WarpSlot warp);
  void stay(WarpSlot warp);
  static void go_to(Company& company, std::uint32_t pc, const Grid& grid);
  void find_company(Company& company, const Grid& grid, WarpSlot mine);
  void let_go_on(const Unplaced& threads);
  void place_waiting();
  WarpSlot take_slot(const Company& company, const Grid& grid, WarpSlot wanted);
  void leave_slot(WarpSlot warp);
  void tell_of_formation(WarpSlot warp);
  void move_released(WarpSlot warp, Cycle at);
  void end_finished_rows();

  // accesses.cpp
  Cycle send(WarpSlot warp, const Access& access, Cycle at);
  std::uint32_t begin_access(WarpSlot warp, Cycle at);
  void send_pass(std::uint32_t token, const Access& access, Cycle at);
  Cycle end_access(std::uint32_t token);
  void send_part(std::uint32_t token, const Access& access, MemoryPath path, LaneMask lanes,
                 const memory::LaneAddresses& addresses, Cycle at, bool local = false);
  void send_local(std::uint32_t token, const Access& access, LaneMask lanes, Cycle at);
  void complete(const MemoryCompletion& completion);
  void take_back_atomic(Slot& slot, std::uint32_t number);
  std::uint32_t new_atomic(exec::Warp& row);

  // warps.cpp
  void start_taken_blocks();
  std::uint32_t start_block(const TakenBlock& taken);
  void start_warps(const TakenBlock& taken);
  Slot& begin_slot(WarpSlot warp, const Grid& grid, std::uint32_t resident, Cycle at);
  Slot& renew_slot(WarpSlot warp, const Grid& grid, std::uint32_t resident, std::uint32_t pc);
  void prepare(WarpSlot warp);
  void place(WarpSlot warp, Cycle at, StallCause cause);
  void block_warp(WarpSlot warp, StallCause cause);
  void tell_of_wait(WarpSlot warp, StallCause cause);
  void unblock(WarpSlot warp, Cycle at);
  void wake(WarpSet warps);
  void fetch(WarpSlot warp);
  void leave_ready(WarpSlot warp);
  void needs_nothing(WarpSlot warp);
  Scheduler& scheduler_of(WarpSlot warp) { return *schedulers_[warp % schedulers_.size()]; }
  void look_at_block(std::uint32_t number);
  void end_warp(WarpSlot warp, Cycle at);
  void end_row(std::uint32_t resident, std::uint32_t warp, Cycle begin, Cycle at);
  void describe_wide_warps(std::string& text) const;
  static BlockCount count_of(const Resident& resident);
  void note_residents(Cycle at);
  void count_wait(Slot& slot, Cycle until);

  // sm.cpp
  void prefetch_state();
  void advance_memory(Cycle now);
  void count_without_warps(Cycle until);
  WarpSet needs(Resource resource) const { return needs_[static_cast<std::size_t>(resource)]; }
  WarpSet unavailable(Cycle at, WarpSet ready) const;
  Cycle run_memory_until_change(Cycle until);
  bool has_room_for_memory() const;
  Cycle next_change_but_memory() const;
  void account(std::uint32_t scheduler, std::uint64_t cycles);
  std::optional<StallCause> nearest_cause(std::uint32_t scheduler, WarpSet warps) const;
  void account_ready(WarpSet eligible, WarpSet held, std::uint64_t cycles);
  Throttled throttled(WarpSet stuck) const;
  StallCause nearest_throttle(std::uint32_t scheduler, WarpSet stuck) const;

  SmDescription description_;
  SmPlace place_;
  double nanoseconds_per_cycle_;
  Cycles read_latency_;  ///< Of operands.
  std::unique_ptr<Residency> residency_;
  FrontEnd front_end_;
  std::unique_ptr<Dependence> dependence_;
  std::unique_ptr<Operands> operands_;
  std::unique_ptr<BranchUnit> branch_;
  ExecutionUnits units_;
  LoadStoreUnit memory_;
  std::vector<std::unique_ptr<Scheduler>> schedulers_;
  std::vector<WarpSet> of_scheduler_;
  std::vector<Cycle> issues_from_;  ///< When each scheduler can issue again.

  Cycle now_;
  Cycle counted_until_;
  Travel travel_;
  WarpSet free_homes_ = 0;  ///< For rows of 32 threads; where they travel alone, their slots.
  WarpSet ready_ = 0;
  std::array<WarpSet, kResources> needs_{};
  std::array<WarpSet, kStallCauses> waiting_{};
  WakeWheel wheel_;
  std::array<Slot, kMostWarps> slots_{};
  std::vector<Resident> residents_;
  std::vector<TakenBlock> taken_blocks_;  ///< Resident, but not made yet.
  std::uint32_t resident_blocks_ = 0;     ///< Those included.
  std::uint32_t live_warps_ = 0;
  Cycle residents_since_;

  // Where slots hold threads of several rows.
  WarpSet all_slots_ = 0;
  WarpSet free_slots_ = 0;
  std::vector<Cycle> breaks_down_until_;  ///< What each scheduler has issued, into passes.
  std::array<Home, kMostWarps> homes_{};
  std::vector<Pass> passes_;  ///< Of the instruction that issues.
  std::vector<GatheredPass> gathered_;
  std::vector<std::unique_ptr<LargeWarp>> large_warps_;    ///< By slot.
  std::unique_ptr<exec::FormedWarp> threads_;              ///< All that are formed to warps.
  std::vector<std::unique_ptr<FormedWarp>> formed_warps_;  ///< By slot.
  WarpPool pool_;
  RingQueue<Unplaced> unplaced_;
  /// By home: the post-dominators that those of its threads have passed that executed last.
  std::array<std::uint32_t, kMostWarps> passed_{};

  exec::EpochStores stores_;
  SlotTable<Pending> pending_;
  std::vector<std::unique_ptr<Atomic>> atomics_;
  std::vector<std::uint32_t> free_atomics_;
  std::vector<MemoryCompletion> completions_;
  memory::LaneAddresses translated_{};
  std::vector<WarpSlot> chip_wide_;
  WarpSet fenced_ = 0;  ///< Behind a fence that waits for the epoch's end.
  std::vector<EndedBlock> ended_blocks_;
  bool notes_lifetimes_ = false;
  std::vector<EndedWarp> ended_warps_;
  std::map<std::uint32_t, exec::ExecutionProfile> profiles_;  ///< By Grid::number.
  SmCounters counters_;
};

}  // namespace heddle::sm
