#include "sm/residents.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

void ResidentCounters::declare(CounterList& counters) {
  counters.add("sm.active_cycles", active_cycles, "cycles", "with a resident block");
  counters.add("sm.resident_warp_cycles", warp_cycles, "warp-cycles",
               "of resident warps that have not ended");
  counters.add("sm.resident_block_cycles", block_cycles, "block-cycles", "of resident blocks");
  counters.add("sm.register_cycles", register_cycles, "register-cycles",
               "of registers that are given to residents");
  underutilisation.declare(counters);
}

Residents::Residents(const ResidencyDescription& description, std::uint16_t sm,
                     std::uint32_t sm_count, exec::EpochStores& stores)
    : sm_(sm),
      sm_count_(sm_count),
      stores_(stores),
      residency_(make_residency(description)),
      by_warps_(properties_of(description).by_warps),
      residents_(description.blocks) {
  partial_.reserve(description.blocks);
  for (WarpSlot home = 0; home < description.warps; ++home) free_homes_ |= set_of(home);
}

void Residents::take(const TakenBlock& taken, Cycle now) {
  count_until(now);
  residency_->take(taken.grid->needs);
  ++blocks_;
  taken_.push_back(taken);
  const BlockNeeds& needs = taken.grid->needs;
  taken_.back().warps = residency_->admit_warps(needs, needs.warps, now);
}

void Residents::make_taken_blocks() {
  for (const TakenBlock& taken : taken_) make(taken);
  taken_.clear();
}

void Residents::forget_releases() {
  residency_->forget_releases();
  has_released_ = false;
}

void Residents::make(const TakenBlock& taken) {
  const Grid& grid = *taken.grid;
  std::uint32_t number = 0;
  while (residents_[number].grid != nullptr) ++number;
  Resident& resident = residents_[number];
  if (resident.block == nullptr || &resident.block->launch() != grid.launch) {
    resident.block = std::make_unique<exec::Block>(*grid.launch);
  }
  resident.grid = &grid;
  resident.homes.fill(kNoWarp);
  resident.started = 0;
  resident.live_warps = grid.needs.warps;
  resident.count = {.grid = grid.number};
  resident.arrival = taken.at;
  resident.last_end = taken.at;
  resident.lifetimes = {};
  resident.longest_lifetime = {};
  exec::Block& block = *resident.block;
  block.place_on(sm_, sm_count_, &stores_);
  if (addresses_apart_) block.keep_addresses_apart();
  block.start(taken.index);
  trace_.take_block(taken.at, taken.index);
  start_warps(number, taken.warps, taken.at);
  if (resident.unstarted() > 0) partial_.push_back(number);
}

/// So many more of a block's warps get homes, and start at `at`.
void Residents::start_warps(std::uint32_t number, std::uint32_t count, Cycle at) {
  if (count == 0) return;
  Resident& resident = residents_[number];
  starting_.push_back({.resident = number, .first = resident.started, .count = count, .at = at});
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t w = resident.started++;
    assert(free_homes_ != 0);
    const WarpSlot home = first_of(free_homes_);
    free_homes_ &= ~set_of(home);
    resident.homes[w] = home;
    homes_[home] = {.resident = number, .warp = w, .begin = at};
  }
}

/// An end may have made room for warps that wait for it. They start in the next cycle, but not
/// before the first ones of their block.
void Residents::start_waiting_warps(Cycle ended) {
  for (const std::uint32_t number : partial_) {
    const Resident& resident = residents_[number];
    const std::uint32_t admitted =
        residency_->admit_warps(resident.grid->needs, resident.unstarted(), ended);
    start_warps(number, admitted, std::max(ended + Cycles(1), resident.arrival));
  }
  std::erase_if(partial_,
                [this](std::uint32_t number) { return residents_[number].unstarted() == 0; });
}

void Residents::arrive(WarpSlot home, Cycle now) {
  count_until(now);
  ++live_warps_;
  homes_[home].begin = now;
}

std::vector<BlockCount> Residents::counts() const {
  std::vector<BlockCount> counts;
  for_each([&](const Resident& resident) { counts.push_back(resident.count); });
  return counts;
}

exec::ExecutionProfile* Residents::profile(const Grid& grid) {
  if (grid.launch->profile == nullptr) return nullptr;
  return &profiles_.try_emplace(grid.number, grid.table.size()).first->second;
}

void Residents::add_profile(const Grid& grid) {
  const auto found = profiles_.find(grid.number);
  if (found == profiles_.end()) return;
  grid.launch->profile->add(found->second);
  profiles_.erase(found);
}

/// The place of a row; nothing where there is none.
WarpSet Residents::free_home(WarpSlot home) {
  if (home == kNoWarp) return 0;
  residents_[homes_[home].resident].homes[homes_[home].warp] = kNoWarp;
  free_homes_ |= set_of(home);
  return set_of(home);
}

WarpSet Residents::end_row(WarpSlot home, Cycle at) {
  const Home& row = homes_[home];
  Resident& resident = residents_[row.resident];
  if (notes_lifetimes_) {
    ended_warps_.push_back({{.block = resident.block->index(),
                             .warp = resident.block->first_warp() + row.warp,
                             .sm = sm_,
                             .begin = row.begin,
                             .end = at},
                            resident.grid->number});
  }
  count_until(at);
  --live_warps_;
  resident.last_end = std::max(resident.last_end, at);
  const Cycles lifetime = at - row.begin;
  resident.lifetimes += lifetime;
  resident.longest_lifetime = std::max(resident.longest_lifetime, lifetime);
  residency_->warp_ended(resident.grid->needs, at);
  has_released_ = has_released_ || by_warps_;
  WarpSet freed = by_warps_ ? free_home(home) : 0;
  if (--resident.live_warps == 0) {
    for (const WarpSlot held : resident.homes) freed |= free_home(held);
    residency_->block_ended(resident.grid->needs, at);
    counters_.underutilisation.count(resident.grid->needs.warps, resident.lifetimes.count,
                                     resident.longest_lifetime.count);
    has_released_ = true;
    ended_blocks_.push_back({resident.count, resident.last_end});
    trace_.end_block(resident.last_end, resident.block->index());
    resident.grid = nullptr;
    --blocks_;
  }
  if (!partial_.empty()) start_waiting_warps(at);
  return freed;
}

void Residents::forget_launches() {
  for (Resident& resident : residents_) resident.block.reset();
}

void Residents::count_until(Cycle at) {
  const std::uint64_t cycles = at > counted_until_ ? (at - counted_until_).count : 0;
  counters_.warp_cycles += cycles * live_warps_;
  counters_.block_cycles += cycles * blocks_;
  counters_.register_cycles += cycles * residency_->allocated().registers;
  if (blocks_ > 0) counters_.active_cycles += cycles;
  counted_until_ = std::max(counted_until_, at);
}

}  // namespace heddle::sm
