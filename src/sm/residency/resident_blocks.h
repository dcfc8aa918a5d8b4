#pragma once

// The resident blocks of a multiprocessor, and the hardware warps of their static warps.
//
// A static warp is 32 threads of a block with consecutive numbers: what the program sees as a warp.
// A hardware warp is a place on the multiprocessor for the registers and the local memory of one
// static warp. A warp slot is a place in the pipeline for threads that issue together.
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
#include "sm/residency/access_log.h"
#include "sm/residency/residency.h"
#include "sm/residency/static_warp_observer.h"
#include "sm/residency/warp_lifetime.h"
#include "sm/warps/warp_trace.h"

namespace heddle::sm {

/// The number of instructions that a block has executed (see IssueCounters), and its launch.
struct BlockInstructions {
  std::uint32_t grid = 0;  ///< Grid::number of its launch.
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};
struct EndedBlock : BlockInstructions {
  Cycle at;  ///< The end of its last warp.
};
struct EndedWarp : WarpLifetime {
  std::uint32_t grid = 0;  ///< Grid::number of its launch.
};

/// A block that has been admitted, but whose exec::Block does not exist yet.
struct AdmittedBlock {
  const Grid* grid = nullptr;
  std::uint64_t index = 0;  ///< The number of the block in its launch.
  Cycle at;                 ///< When its first warps start.
  std::uint32_t warps = 0;  ///< How many warps start at `at`. They are the first of the block.
};

/// Static warps of a resident block that start in the same cycle: its first ones, or later ones
/// that have waited for space.
struct StartingWarps {
  std::uint32_t block_slot = 0;  ///< See ResidentBlocks::operator[].
  std::uint32_t first_warp = 0;  ///< The number in the block of the first of these warps.
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

/// A block slot of the multiprocessor, and the block that is resident in it.
struct ResidentBlock {
  /// The object is kept when the block ends: the next block of the same launch can reuse it.
  std::unique_ptr<exec::Block> block;
  const Grid* grid = nullptr;  ///< The block's launch; null if the slot is empty.
  /// By static warp: its hardware warp; kNoWarp if it has none.
  std::array<HardwareWarpId, 32> hardware_warps{};
  /// The number of static warps that have started: each has a hardware warp, or has ended. Warps
  /// start in order; the others wait for space.
  std::uint32_t started_count = 0;
  std::uint32_t live_count = 0;  ///< The number of static warps that have not ended.
  BlockInstructions instructions;
  exec::ExecutionProfile* profile = nullptr;  ///< Also counts them; null if not profiled.
  Cycle arrival;                              ///< When its first warps start.
  Cycle last_end;                             ///< When the last of the ended warps has ended.
  Cycles total_lifetime{};                    ///< The sum over the warps that have ended.
  Cycles longest_lifetime{};                  ///< The maximum over the warps that have ended.

  std::uint32_t unstarted_count() const { return grid->needs.warps - started_count; }
  /// The mask of the static warps that have not started: bit i for warp i of the block.
  std::uint32_t unstarted_warps() const {
    return LaneMask::first_lanes(static_cast<int>(grid->needs.warps))
        .without(LaneMask::first_lanes(static_cast<int>(started_count)))
        .bits();
  }
};

/// Counters for the ratio of temporal resource underutilization (RTRU; Xiang et al., Warp-Level
/// Divergence in GPUs, section 3.2). It is the part of a block's resources, integrated over time,
/// that is allocated to warps which have ended, until the end of the block. For a block of N warps
/// it is the sum over the warps of (longest lifetime - lifetime), divided by N times the longest
/// lifetime.
struct UnderutilisationCounters {
  std::uint64_t blocks = 0;      ///< The number of ended blocks.
  std::uint64_t millionths = 0;  ///< The sum of their ratios, in millionths.
  /// The sum of log2(1 / ratio) over these blocks, in units of 1/1024; for a geometric mean.
  std::uint64_t octaves = 0;

  /// Counts an ended block. `warps`: the number of its warps; `sum` and `longest`: the sum and the
  /// maximum of their lifetimes, in cycles.
  void count(std::uint64_t warps, std::uint64_t sum, std::uint64_t longest);
  void declare(CounterList& counters);
};

/// declare() describes the counters.
struct ResidentCounters {
  std::uint64_t active_cycles = 0;
  std::uint64_t warp_cycles = 0;
  std::uint64_t block_cycles = 0;
  std::uint64_t register_cycles = 0;
  std::uint64_t shared_byte_cycles = 0;
  UnderutilisationCounters underutilisation;

  void declare(CounterList& counters);
};

class ResidentBlocks {
 public:
  /// `sm`: the number of the multiprocessor, of `sm_count`. `stores`: where the blocks store.
  /// `observer`: is notified when static warps end; may be null.
  ResidentBlocks(const ResidencyDescription& description, std::uint16_t sm, std::uint32_t sm_count,
                 exec::EpochStores& stores, StaticWarpObserver* observer = nullptr);

  /// As ResourcePool::resize().
  void resize(const StorageSizes& sizes) { residency_->resize(sizes); }

  // -- blocks start -------------------------------------------------------------------------------
  /// Whether a block of the launch can be admitted.
  bool fits(const Grid& grid) const { return residency_->fits(grid.needs); }
  /// For a launch whose blocks fit: the cycle in which the space for a block became free, if that
  /// was after the last forget_releases(); 0 otherwise.
  Cycle space_since(const Grid& grid) const { return residency_->space_since(grid.needs); }
  /// Whether any resource has become free since the last forget_releases().
  bool has_released() const { return has_released_; }
  /// From now on, space_since() and has_released() ignore releases before this call.
  void forget_releases();
  /// From `at` on, the policy behaves as this side of a duel (Residency::follow()).
  void follow(DuelSide side, Cycle at) { residency_->follow(side, at); }
  /// Admits a block, for which there must be space. `admitted.warps` is ignored.
  void admit_block(const AdmittedBlock& admitted, Cycle now);
  /// The admitted blocks that have not been created yet.
  const std::vector<AdmittedBlock>& admitted() const { return admitted_; }
  /// Creates the exec::Block of each admitted block, and gives hardware warps to its first warps.
  void create_admitted_blocks();
  /// From now on, blocks are created with exec::Block::keep_addresses_per_warp().
  void keep_addresses_per_warp() { addresses_per_warp_ = true; }
  /// The static warps that have hardware warps but no warp slots. The divergence policy gives them
  /// warp slots.
  const std::vector<StartingWarps>& starting() const { return starting_; }
  /// Called when all warps in starting() have warp slots.
  void clear_starting() { starting_.clear(); }
  /// The static warp starts to run.
  void start_static_warp(HardwareWarpId hardware_warp, Cycle now);

  // -- resident blocks ----------------------------------------------------------------------------
  /// The number of resident blocks, including admitted ones that have not been created yet.
  std::uint32_t blocks() const { return blocks_; }
  /// See Residency::free_registers().
  std::uint32_t free_registers() const {
    return static_cast<std::uint32_t>(residency_->free_registers());
  }
  /// The block slot with this number, from 0 to sm.blocks - 1.
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
  /// The instructions that each created block has executed so far.
  std::vector<BlockInstructions> instruction_counts() const;
  /// Adds this multiprocessor's profile of a launch to the launch's own profile.
  void add_profile(const Grid& grid);

  // -- blocks end ---------------------------------------------------------------------------------
  /// Ends a static warp, whose threads have all exited and which has nothing in flight. Returns the
  /// hardware warps that become free. If the policy releases by warp, this is the hardware warp of
  /// the static warp. Otherwise, the last warp of a block frees all hardware warps of the block,
  /// and the others free none. Warps that have waited for the space start in the next cycle.
  WarpSet end_static_warp(HardwareWarpId hardware_warp, Cycle at);
  /// The blocks that have ended since the caller last cleared the list.
  std::vector<EndedBlock>& ended_blocks() { return ended_blocks_; }
  /// The static warps that have ended since the caller last cleared the list. They are recorded
  /// only after note_lifetimes() has been called.
  std::vector<EndedWarp>& ended_warps() { return ended_warps_; }
  void note_lifetimes() { notes_lifetimes_ = true; }
  /// Destroys the exec::Block objects that are kept for reuse. They refer to their launches, so
  /// this is called when all launches have ended.
  void drop_kept_blocks();

  // -- counting -----------------------------------------------------------------------------------
  void begin_counting(Cycle at) { counted_until_ = at; }
  /// Counts the resident blocks and warps, and their registers, up to `at`.
  void count_until(Cycle at);
  void declare(CounterList& counters) { counters_.declare(counters); }
  /// From now on starts and ends of blocks are written to `log`; none are written if it is null.
  void trace(trace::Log* log) { trace_.write_to(log); }
  /// From now on, accesses to global memory of launches with an observer are written to `log`.
  void log_accesses(AccessLog& log) { access_log_ = &log; }

 private:
  void create(const AdmittedBlock& admitted);
  /// The profile that counts the instructions of a launch; null if the launch has none.
  exec::ExecutionProfile* profile_of(const Grid& grid);
  void start_warps(std::uint32_t block_slot, std::uint32_t count, Cycle at);
  void start_waiting_warps(Cycle ended);
  WarpSet free_hardware_warp(HardwareWarpId hardware_warp);

  std::uint16_t sm_;
  std::uint32_t sm_count_;
  exec::EpochStores& stores_;
  StaticWarpObserver* observer_;  ///< May be null.
  std::unique_ptr<Residency> residency_;
  bool releases_by_warp_;  ///< Whether a warp's resources are freed when it ends.
  bool has_released_ = false;
  bool addresses_per_warp_ = false;
  std::vector<ResidentBlock> residents_;  ///< By block slot.
  std::vector<AdmittedBlock> admitted_;   ///< See admitted().
  std::vector<StartingWarps> starting_;   ///< See starting().
  /// The block slots of blocks with warps that wait for space, the oldest first.
  std::vector<std::uint32_t> partial_;
  std::array<HardwareWarp, kMaxWarps> hardware_warps_{};
  WarpSet free_hardware_warps_ = 0;
  std::uint32_t blocks_ = 0;      ///< See blocks().
  std::uint32_t live_warps_ = 0;  ///< The number of static warps that have started and not ended.
  bool notes_lifetimes_ = false;
  std::vector<EndedBlock> ended_blocks_;
  std::vector<EndedWarp> ended_warps_;
  std::map<std::uint32_t, exec::ExecutionProfile> profiles_;  ///< By Grid::number.
  Cycle counted_until_;
  ResidentCounters counters_;
  WarpTrace trace_;
  AccessLog* access_log_ = nullptr;
};

}  // namespace heddle::sm
