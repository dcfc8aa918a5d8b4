#pragma once

// The resident blocks of a multiprocessor, the hardware warps of their static warps, and the
// resources they hold.
//
// A static warp is 32 threads of a block with consecutive numbers: what the program sees as a warp.
// A hardware warp is the place on the multiprocessor that holds the registers and the local memory
// of one static warp. A warp slot is a place in the pipeline, and holds the threads that issue
// together.
//
// A block becomes resident in two steps. Between epochs it is admitted: the residency policy
// allocates its resources. When the multiprocessor runs next, its exec::Block is created and its
// first static warps get hardware warps. A policy that allocates by warp lets the other static
// warps wait for space (WarpMan; Xiang et al., Warp-Level Divergence in GPUs, section 4).

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
#include "sm/warps/warp_lifetime.h"
#include "sm/warps/warp_trace.h"

namespace heddle::sm {

/// The number of instructions that a block has executed, and its launch.
struct BlockInstructions {
  std::uint32_t grid = 0;  ///< Grid::number
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};
struct EndedBlock : BlockInstructions {
  Cycle at;  ///< The end of its last warp.
};
struct EndedWarp : WarpLifetime {
  std::uint32_t grid = 0;  ///< Grid::number
};

/// A block that has been admitted, but whose exec::Block does not exist yet.
struct AdmittedBlock {
  const Grid* grid = nullptr;
  std::uint64_t index = 0;
  Cycle at;                 ///< When its first warps start.
  std::uint32_t warps = 0;  ///< The number of warps that start at `at`: warps 0 to `warps` - 1.
};

/// Static warps of a resident block that start together: its first ones, or later ones for which
/// there is now space.
struct StartingWarps {
  std::uint32_t block_slot = 0;  ///< See ResidentBlocks::operator[].
  std::uint32_t first = 0;       ///< The number of the first of them in the block.
  std::uint32_t count = 0;
  Cycle at;
};

/// The static warp in a hardware warp. With divergence.policy 'stack' the number of the hardware
/// warp is also the warp slot.
struct HardwareWarp {
  std::uint32_t block_slot = 0;
  std::uint32_t warp = 0;  ///< The number of the static warp in its block.
  Cycle begin;             ///< When the static warp started to run.
};

/// A block slot of the multiprocessor, with the block that is resident in it.
struct ResidentBlock {
  /// Kept when the block ends, so that the next block of the same launch can reuse the object.
  std::unique_ptr<exec::Block> block;
  const Grid* grid = nullptr;  ///< The block's launch; null if the slot is empty.
  /// The hardware warp of each static warp; kNoWarp if it has none.
  std::array<HardwareWarpId, 32> hardware_warps{};
  /// The number of static warps that have hardware warps or have ended. They start in order; the
  /// others wait for space.
  std::uint32_t started = 0;
  std::uint32_t live_warps = 0;  ///< Static warps that have not ended, waiting ones included.
  BlockInstructions instructions;
  Cycle arrival;  ///< When its first warps start.
  Cycle last_end;
  Cycles total_lifetime{};    ///< Sum over the warps that have ended.
  Cycles longest_lifetime{};  ///< Of the warps that have ended.

  std::uint32_t unstarted() const { return grid->needs.warps - started; }
  /// The unstarted warps, as a mask.
  std::uint32_t unstarted_warps() const {
    return LaneMask::first(static_cast<int>(grid->needs.warps))
        .without(LaneMask::first(static_cast<int>(started)))
        .bits();
  }
};

/// The ratio of temporal resource underutilization (RTRU; Xiang et al., Warp-Level Divergence in
/// GPUs, section 3.2). It is the share of a block's resources, integrated over time, that warps
/// hold between their own end and the end of their block. For a block of N warps it is the sum of
/// (longest lifetime - own lifetime), divided by N times the longest lifetime.
struct UnderutilisationCounters {
  std::uint64_t blocks = 0;      ///< Ended blocks.
  std::uint64_t millionths = 0;  ///< The sum of their ratios, in millionths.
  /// The sum of log2(1 / ratio) over these blocks, in 1/1024; for a geometric mean.
  std::uint64_t octaves = 0;

  /// Counts an ended block: the number of its warps, and the sum and the longest of their
  /// lifetimes in cycles.
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

class ResidentBlocks {
 public:
  /// The blocks run on multiprocessor `sm` of `sm_count`, and store to `stores`.
  ResidentBlocks(const ResidencyDescription& description, std::uint16_t sm, std::uint32_t sm_count,
                 exec::EpochStores& stores);

  // -- blocks start -------------------------------------------------------------------------------
  /// Whether a block of the launch can be admitted.
  bool fits(const Grid& grid) const { return residency_->fits(grid.needs); }
  /// How many blocks fit on an empty multiprocessor.
  Occupancy occupancy(const BlockNeeds& needs) const { return residency_->occupancy(needs); }
  /// For a launch whose blocks fit: the cycle in which the space became free, if that was after
  /// forget_releases(); 0 otherwise.
  Cycle room_since(const Grid& grid) const { return residency_->room_since(grid.needs); }
  /// Whether any resource has become free since forget_releases().
  bool has_released() const { return has_released_; }
  /// Forgets past releases: blocks have been offered the space that was free until now.
  void forget_releases();
  /// From `at` on, uses the policy of that side of a duel (Residency::follow()).
  void follow(DuelSide side, Cycle at) { residency_->follow(side, at); }
  /// Admits a block, for which there must be space. `admitted.warps` is ignored.
  void admit_block(const AdmittedBlock& admitted, Cycle now);
  const std::vector<AdmittedBlock>& admitted() const { return admitted_; }
  /// Creates the exec::Block of each admitted block, and gives hardware warps to its first warps.
  void create_admitted_blocks();
  /// From now on, blocks are created with exec::Block::keep_addresses_per_warp().
  void keep_addresses_per_warp() { addresses_per_warp_ = true; }
  /// Static warps that have hardware warps, and wait for sm/divergence to give them warp slots.
  const std::vector<StartingWarps>& starting() const { return starting_; }
  /// Called when all warps in starting() have warp slots.
  void clear_starting() { starting_.clear(); }
  /// The static warp starts to run.
  void start_static_warp(HardwareWarpId hardware_warp, Cycle now);

  // -- resident blocks ----------------------------------------------------------------------------
  /// The number of resident blocks, including those that have not been created yet.
  std::uint32_t blocks() const { return blocks_; }
  /// The block slot with this number: 0 to `sm.blocks` - 1.
  ResidentBlock& operator[](std::uint32_t block_slot) { return residents_[block_slot]; }
  const ResidentBlock& operator[](std::uint32_t block_slot) const { return residents_[block_slot]; }
  const HardwareWarp& hardware_warp(HardwareWarpId hardware_warp) const {
    return hardware_warps_[hardware_warp];
  }
  /// Calls each(resident) for the blocks that have been created.
  template <class Each>
  void for_each(Each each) const {
    for (const ResidentBlock& resident : residents_) {
      if (resident.grid != nullptr) each(resident);
    }
  }
  /// The instructions that each of these blocks has executed so far.
  std::vector<BlockInstructions> instruction_counts() const;
  /// The profile that counts the instructions of a launch; null if the launch has none.
  exec::ExecutionProfile* profile(const Grid& grid);
  /// Adds this multiprocessor's profile of a launch to the launch's own profile.
  void add_profile(const Grid& grid);

  // -- blocks end ---------------------------------------------------------------------------------
  /// All threads of a static warp have exited, and nothing of it is in flight. Returns the hardware
  /// warps that have become free. If the policy releases by warp, this is the warp's own. Otherwise
  /// it is all of the block after its last warp, and none before. Warps that have waited for the
  /// space start in the next cycle.
  WarpSet end_static_warp(HardwareWarpId hardware_warp, Cycle at);
  /// The blocks that have ended since the caller last cleared the list.
  std::vector<EndedBlock>& ended_blocks() { return ended_blocks_; }
  /// The same for static warps. They are recorded only from note_lifetimes() on.
  std::vector<EndedWarp>& ended_warps() { return ended_warps_; }
  void note_lifetimes() { notes_lifetimes_ = true; }
  /// Destroys the exec::Block objects that are kept for reuse. Called when all launches have ended,
  /// to which the objects refer.
  void drop_kept_blocks();

  // -- counting -----------------------------------------------------------------------------------
  void begin_counting(Cycle at) { counted_until_ = at; }
  /// Counts the resident blocks and warps, and their registers, up to `at`.
  void count_until(Cycle at);
  void declare(CounterList& counters) { counters_.declare(counters); }
  /// Starts and ends of blocks are written to `log`, if it is not null.
  void trace(trace::Log* log) { trace_.to(log); }

 private:
  void create(const AdmittedBlock& admitted);
  void start_warps(std::uint32_t block_slot, std::uint32_t count, Cycle at);
  void start_waiting_warps(Cycle ended);
  WarpSet free_hardware_warp(HardwareWarpId hardware_warp);

  std::uint16_t sm_;
  std::uint32_t sm_count_;
  exec::EpochStores& stores_;
  std::unique_ptr<Residency> residency_;
  bool releases_by_warp_;  ///< Whether a warp's resources are freed when it ends.
  bool has_released_ = false;
  bool addresses_per_warp_ = false;
  std::vector<ResidentBlock> residents_;  ///< By block slot.
  std::vector<AdmittedBlock> admitted_;
  std::vector<StartingWarps> starting_;
  /// The block slots of blocks with warps that wait for space, the oldest first.
  std::vector<std::uint32_t> partial_;
  std::array<HardwareWarp, kMostWarps> hardware_warps_{};
  WarpSet free_hardware_warps_ = 0;
  std::uint32_t blocks_ = 0;
  std::uint32_t live_warps_ = 0;  ///< Static warps that run.
  bool notes_lifetimes_ = false;
  std::vector<EndedBlock> ended_blocks_;
  std::vector<EndedWarp> ended_warps_;
  std::map<std::uint32_t, exec::ExecutionProfile> profiles_;  ///< By Grid::number.
  Cycle counted_until_;
  ResidentCounters counters_;
  WarpTrace trace_;
};

}  // namespace heddle::sm
