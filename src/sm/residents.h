#pragma once

// What is resident on a multiprocessor: its blocks, the homes of their rows of 32 threads, and what
// has been given to them.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/lane_mask.h"
#include "exec/block/block.h"
#include "exec/execution_profile.h"
#include "exec/memory/epoch_stores.h"
#include "sm/grid.h"
#include "sm/ids.h"
#include "sm/residency/residency.h"
#include "sm/warp_lifetime.h"
#include "sm/warp_trace.h"

namespace heddle::sm {

/// What of a launch has been executed.
struct BlockCount {
  std::uint32_t grid = 0;  ///< Grid::number
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};
struct EndedBlock : BlockCount {
  Cycle at;
};
struct EndedWarp : WarpLifetime {
  std::uint32_t grid = 0;  ///< Grid::number
};

/// A block that the multiprocessor has room for, and has not made yet.
struct TakenBlock {
  const Grid* grid = nullptr;
  std::uint64_t index = 0;
  Cycle at;                 ///< When its warps come.
  std::uint32_t warps = 0;  ///< Those that start then, from the first on.
};

/// Warps of a resident block that start: its first ones, or more of them as there is room.
struct StartingWarps {
  std::uint32_t resident = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  Cycle at;
};

/// Where a block's row of 32 threads is at home: its registers, its local memory. A row that
/// travels alone has the slot of the same number.
struct Home {
  std::uint32_t resident = 0;
  std::uint32_t warp = 0;  ///< Of its block.
  Cycle begin;
};

/// A block that is resident.
struct Resident {
  std::unique_ptr<exec::Block> block;
  /// Null where the place is free; the block is kept to be used again.
  const Grid* grid = nullptr;
  std::array<WarpSlot, 32> homes{};  ///< Of its warps; kNoWarp where one has none.
  std::uint32_t started = 0;         ///< Of its warps, in their order; the others wait for room.
  std::uint32_t live_warps = 0;      ///< Those that wait for room included.
  BlockCount count;
  Cycle arrival;
  Cycle last_end;
  // Of its warps that have ended:
  Cycles lifetimes{};  ///< In sum.
  Cycles longest_lifetime{};

  std::uint32_t unstarted() const { return grid->needs.warps - started; }
  /// The same as a bit for each.
  std::uint32_t unstarted_warps() const {
    return LaneMask::first(static_cast<int>(grid->needs.warps))
        .without(LaneMask::first(static_cast<int>(started)))
        .bits();
  }
};

/// How much of what warps of ended blocks held was wasted, as it is given back when the block ends:
/// of N warps the sum of (longest - own lifetime), by N times the longest. The ratio of temporal
/// resource underutilisation of Xiang et al., Warp-Level Divergence in GPUs, section 3.2.
struct UnderutilisationCounters {
  std::uint64_t blocks = 0;
  std::uint64_t millionths = 0;
  std::uint64_t octaves = 0;  ///< In 1/1024. Of a geometric mean.

  /// Lifetimes of a block's warps.
  void count(std::uint64_t warps, std::uint64_t sum, std::uint64_t longest);
  void declare(CounterList& counters);
};

struct ResidentCounters {
  std::uint64_t active_cycles = 0;
  std::uint64_t warp_cycles = 0;
  std::uint64_t block_cycles = 0;
  std::uint64_t register_cycles = 0;
  UnderutilisationCounters underutilisation;

  void declare(CounterList& counters);
};

class Residents {
 public:
  /// Blocks run on multiprocessor `sm` of `sm_count`, and store to `stores`.
  Residents(const ResidencyDescription& description, std::uint16_t sm, std::uint32_t sm_count,
            exec::EpochStores& stores);

  // -- blocks come --------------------------------------------------------------------------------
  bool fits(const Grid& grid) const { return residency_->fits(grid.needs); }
  /// Of an empty multiprocessor.
  Occupancy occupancy(const BlockNeeds& needs) const { return residency_->occupancy(needs); }
  /// Of a launch whose blocks fit: when the end came that made the room, since forget_releases().
  Cycle room_since(const Grid& grid) const { return residency_->room_since(grid.needs); }
  /// Whether anything has become free since then.
  bool has_released() const { return has_released_; }
  void follow(DuelSide side, Cycle at) { residency_->follow(side, at); }
  void forget_releases();
  void take(const TakenBlock& taken, Cycle now);
  const std::vector<TakenBlock>& taken() const { return taken_; }
  /// Makes the taken blocks, whose first warps start.
  void make_taken_blocks();
  /// Blocks are made with exec::Block::keep_addresses_apart().
  void keep_addresses_apart() { addresses_apart_ = true; }
  /// Warps that have homes, and to which sm/divergence gives slots.
  const std::vector<StartingWarps>& starting() const { return starting_; }
  /// They have slots.
  void all_started() { starting_.clear(); }
  /// The row has come.
  void arrive(WarpSlot home, Cycle now);

  // -- while they are here ------------------------------------------------------------------------
  /// Those that were taken and have not been made included.
  std::uint32_t blocks() const { return blocks_; }
  Resident& operator[](std::uint32_t number) { return residents_[number]; }
  const Resident& operator[](std::uint32_t number) const { return residents_[number]; }
  const Home& home(WarpSlot home) const { return homes_[home]; }
  /// each(resident) for those that have been made.
  template <class Each>
  void for_each(Each each) const {
    for (const Resident& resident : residents_) {
      if (resident.grid != nullptr) each(resident);
    }
  }
  std::vector<BlockCount> counts() const;
  /// Where a launch's instructions are noted; null where they are not.
  exec::ExecutionProfile* profile(const Grid& grid);
  /// Adds what was noted of a launch to the launch's own profile.
  void add_profile(const Grid& grid);

  // -- they end -----------------------------------------------------------------------------------
  /// All threads of a row have exited, and nothing of it is under way. Returns the homes that have
  /// become free: its own, or all of its block's if it was the last. Warps that have waited for
  /// room start in the cycle after.
  WarpSet end_row(WarpSlot home, Cycle at);
  /// The blocks, and where it is asked for the warps, that ended since this was last cleared.
  std::vector<EndedBlock>& ended_blocks() { return ended_blocks_; }
  std::vector<EndedWarp>& ended_warps() { return ended_warps_; }
  void note_lifetimes() { notes_lifetimes_ = true; }
  /// Gives up blocks of launches that have ended.
  void forget_launches();

  // -- counting -----------------------------------------------------------------------------------
  void begin_counting(Cycle at) { counted_until_ = at; }
  /// Adds up what has been resident until then.
  void count_until(Cycle at);
  void declare(CounterList& counters) { counters_.declare(counters); }
  /// Blocks that start and end are noted there; nothing where it is null.
  void trace(trace::Log* log) { trace_.to(log); }

 private:
  void make(const TakenBlock& taken);
  void start_warps(std::uint32_t number, std::uint32_t count, Cycle at);
  void start_waiting_warps(Cycle ended);
  WarpSet free_home(WarpSlot home);

  std::uint16_t sm_;
  std::uint32_t sm_count_;
  exec::EpochStores& stores_;
  std::unique_ptr<Residency> residency_;
  bool by_warps_;
  bool has_released_ = false;
  bool addresses_apart_ = false;
  std::vector<Resident> residents_;
  std::vector<TakenBlock> taken_;
  std::vector<StartingWarps> starting_;
  std::vector<std::uint32_t> partial_;  ///< Those with warps that wait for room, the oldest first.
  std::array<Home, kMostWarps> homes_{};
  WarpSet free_homes_ = 0;
  std::uint32_t blocks_ = 0;
  std::uint32_t live_warps_ = 0;
  bool notes_lifetimes_ = false;
  std::vector<EndedBlock> ended_blocks_;
  std::vector<EndedWarp> ended_warps_;
  std::map<std::uint32_t, exec::ExecutionProfile> profiles_;  ///< By Grid::number.
  Cycle counted_until_;
  ResidentCounters counters_;
  WarpTrace trace_;
};

}  // namespace heddle::sm
