#include "sm/residency/resident_blocks.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

void ResidentCounters::declare(CounterList& counters) {
  counters.add("sm.active_cycles", active_cycles, "cycles", "with a resident block");
  counters.add("sm.resident_warp_cycles", warp_cycles, "warp-cycles",
               "of resident warps that have not ended");
  counters.add("sm.resident_block_cycles", block_cycles, "block-cycles", "of resident blocks");
  counters.add("sm.register_cycles", register_cycles, "register-cycles",
               "of registers allocated to resident blocks");
  counters.add("sm.shared_byte_cycles", shared_byte_cycles, "byte-cycles",
               "of shared memory allocated to resident blocks");
  underutilisation.declare(counters);
}

ResidentBlocks::ResidentBlocks(const ResidencyDescription& description, std::uint16_t sm,
                               std::uint32_t sm_count, exec::EpochStores& stores,
                               StaticWarpObserver* observer)
    : sm_(sm),
      sm_count_(sm_count),
      stores_(stores),
      observer_(observer),
      residency_(make_residency(description)),
      releases_by_warp_(properties_of(description).allocates_by_warp),
      residents_(description.blocks) {
  partial_.reserve(description.blocks);
  for (HardwareWarpId hardware_warp = 0; hardware_warp < description.warps; ++hardware_warp)
    free_hardware_warps_ |= set_of(hardware_warp);
}

void ResidentBlocks::admit_block(const AdmittedBlock& admitted, Cycle now) {
  count_until(now);
  residency_->admit_block(admitted.grid->needs);
  ++blocks_;
  admitted_.push_back(admitted);
  const BlockNeeds& needs = admitted.grid->needs;
  admitted_.back().warps = residency_->admit_warps(needs, needs.warps, now);
}

void ResidentBlocks::create_admitted_blocks() {
  for (const AdmittedBlock& admitted : admitted_) create(admitted);
  admitted_.clear();
}

void ResidentBlocks::forget_releases() {
  residency_->forget_releases();
  has_released_ = false;
}

void ResidentBlocks::create(const AdmittedBlock& admitted) {
  const Grid& grid = *admitted.grid;
  std::uint32_t block_slot = 0;
  while (residents_[block_slot].grid != nullptr) ++block_slot;
  ResidentBlock& resident = residents_[block_slot];
  if (resident.block == nullptr || &resident.block->launch() != grid.launch) {
    resident.block = std::make_unique<exec::Block>(*grid.launch);
  }
  resident.grid = &grid;
  resident.hardware_warps.fill(kNoWarp);
  resident.started_count = 0;
  resident.live_count = grid.needs.warps;
  resident.instructions = {.grid = grid.number};
  resident.profile = profile_of(grid);
  resident.arrival = admitted.at;
  resident.last_end = admitted.at;
  resident.total_lifetime = {};
  resident.longest_lifetime = {};
  exec::Block& block = *resident.block;
  block.place_on(sm_, sm_count_, &stores_);
  if (addresses_per_warp_) block.keep_addresses_per_warp();
  if (grid.launch->access_observer != nullptr) block.report_accesses_to(*access_log_);
  block.start(admitted.index);
  trace_.admit_block(admitted.at, admitted.index);
  start_warps(block_slot, admitted.warps, admitted.at);
  if (resident.unstarted_count() > 0) partial_.push_back(block_slot);
}

/// Gives hardware warps to the next `count` static warps of a block, which start at `at`.
void ResidentBlocks::start_warps(std::uint32_t block_slot, std::uint32_t count, Cycle at) {
  if (count == 0) return;
  ResidentBlock& resident = residents_[block_slot];
  starting_.push_back(
      {.block_slot = block_slot, .first_warp = resident.started_count, .count = count, .at = at});
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t w = resident.started_count++;
    assert(free_hardware_warps_ != 0);
    const HardwareWarpId hardware_warp = first_of(free_hardware_warps_);
    free_hardware_warps_ &= ~set_of(hardware_warp);
    resident.hardware_warps[w] = hardware_warp;
    hardware_warps_[hardware_warp] = {.block_slot = block_slot, .warp = w, .begin = at};
  }
}

/// Called when a warp has ended at `ended`. Starts the waiting warps for which there is now space:
/// in the next cycle, but not before the first warps of their block.
void ResidentBlocks::start_waiting_warps(Cycle ended) {
  for (const std::uint32_t block_slot : partial_) {
    const ResidentBlock& resident = residents_[block_slot];
    const std::uint32_t admitted =
        residency_->admit_warps(resident.grid->needs, resident.unstarted_count(), ended);
    start_warps(block_slot, admitted, std::max(ended + Cycles(1), resident.arrival));
  }
  std::erase_if(partial_, [this](std::uint32_t block_slot) {
    return residents_[block_slot].unstarted_count() == 0;
  });
}

void ResidentBlocks::start_static_warp(HardwareWarpId hardware_warp, Cycle now) {
  count_until(now);
  ++live_warps_;
  hardware_warps_[hardware_warp].begin = now;
}

std::vector<BlockInstructions> ResidentBlocks::instruction_counts() const {
  std::vector<BlockInstructions> counts;
  for_each([&](const ResidentBlock& resident) { counts.push_back(resident.instructions); });
  return counts;
}

exec::ExecutionProfile* ResidentBlocks::profile_of(const Grid& grid) {
  if (grid.launch->profile == nullptr) return nullptr;
  return &profiles_.try_emplace(grid.number, grid.table.size()).first->second;
}

void ResidentBlocks::add_profile(const Grid& grid) {
  const auto found = profiles_.find(grid.number);
  if (found == profiles_.end()) return;
  grid.launch->profile->add(found->second);
  profiles_.erase(found);
}

/// Frees a hardware warp. Returns it as a set, which is empty for kNoWarp.
WarpSet ResidentBlocks::free_hardware_warp(HardwareWarpId hardware_warp) {
  if (hardware_warp == kNoWarp) return 0;
  residents_[hardware_warps_[hardware_warp].block_slot]
      .hardware_warps[hardware_warps_[hardware_warp].warp] = kNoWarp;
  free_hardware_warps_ |= set_of(hardware_warp);
  return set_of(hardware_warp);
}

WarpSet ResidentBlocks::end_static_warp(HardwareWarpId hardware_warp, Cycle at) {
  const HardwareWarp& static_warp = hardware_warps_[hardware_warp];
  ResidentBlock& resident = residents_[static_warp.block_slot];
  if (notes_lifetimes_) {
    ended_warps_.push_back({{.block = resident.block->index(),
                             .warp = resident.block->first_warp() + static_warp.warp,
                             .sm = sm_,
                             .begin = static_warp.begin,
                             .end = at},
                            resident.grid->number});
  }
  if (observer_ != nullptr) observer_->ended(hardware_warp, at);
  count_until(at);
  --live_warps_;
  resident.last_end = std::max(resident.last_end, at);
  const Cycles lifetime = at - static_warp.begin;
  resident.total_lifetime += lifetime;
  resident.longest_lifetime = std::max(resident.longest_lifetime, lifetime);
  residency_->warp_ended(resident.grid->needs, at);
  has_released_ = has_released_ || releases_by_warp_;
  WarpSet freed = releases_by_warp_ ? free_hardware_warp(hardware_warp) : 0;
  if (--resident.live_count == 0) {
    for (const HardwareWarpId other : resident.hardware_warps) freed |= free_hardware_warp(other);
    residency_->block_ended(resident.grid->needs, at);
    counters_.underutilisation.count(resident.grid->needs.warps, resident.total_lifetime.count,
                                     resident.longest_lifetime.count);
    has_released_ = true;
    ended_blocks_.push_back({resident.instructions, resident.last_end});
    trace_.end_block(resident.last_end, resident.block->index());
    resident.grid = nullptr;
    --blocks_;
  }
  if (!partial_.empty()) start_waiting_warps(at);
  return freed;
}

void ResidentBlocks::drop_kept_blocks() {
  for (ResidentBlock& resident : residents_) resident.block.reset();
}

void ResidentBlocks::count_until(Cycle at) {
  const std::uint64_t cycles = at > counted_until_ ? (at - counted_until_).count : 0;
  counters_.warp_cycles += cycles * live_warps_;
  counters_.block_cycles += cycles * blocks_;
  counters_.register_cycles += cycles * residency_->allocated().registers;
  counters_.shared_byte_cycles += cycles * residency_->allocated().shared_bytes;
  if (blocks_ > 0) counters_.active_cycles += cycles;
  counted_until_ = std::max(counted_until_, at);
}

}  // namespace heddle::sm
