#include "sm/residency/resource_pool.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace heddle::sm {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Allocation& Allocation::operator+=(const Allocation& other) {
  blocks += other.blocks;
  warps += other.warps;
  registers += other.registers;
  shared_bytes += other.shared_bytes;
  return *this;
}

Allocation& Allocation::operator-=(const Allocation& other) {
  assert(blocks >= other.blocks && warps >= other.warps && registers >= other.registers &&
         shared_bytes >= other.shared_bytes);
  blocks -= other.blocks;
  warps -= other.warps;
  registers -= other.registers;
  shared_bytes -= other.shared_bytes;
  return *this;
}

void ResourcePool::resize(const StorageSizes& sizes) {
  assert(allocated_.blocks == 0 ||
         (sizes.registers == capacity_.registers && sizes.shared_bytes == capacity_.shared_bytes));
  capacity_.registers = sizes.registers;
  capacity_.shared_bytes = sizes.shared_bytes;
}

Allocation ResourcePool::block(const BlockNeeds& needs) const {
  Allocation whole = without_warps(needs);
  whole.warps = needs.warp_slots();
  whole.registers = registers_of_warp(needs) * needs.warps;
  return whole;
}

Allocation ResourcePool::warps(const BlockNeeds& needs, std::uint64_t count) const {
  return {.warps = count, .registers = registers_of_warp(needs) * count};
}

Allocation ResourcePool::without_warps(const BlockNeeds& needs) const {
  return {.blocks = 1, .shared_bytes = round_up(needs.shared_bytes, capacity_.shared_unit)};
}

std::uint64_t ResourcePool::registers_of_warp(const BlockNeeds& needs) const {
  return round_up(std::uint64_t{needs.registers_per_thread} * 32, capacity_.register_unit);
}

bool ResourcePool::fits_beside(const Allocation& allocated, const Allocation& wanted) const {
  const auto fits = [](std::uint64_t used, std::uint64_t more, std::uint64_t capacity) {
    return more == 0 || used + more <= capacity;
  };
  return fits(allocated.blocks, wanted.blocks, capacity_.blocks) &&
         fits(allocated.warps, wanted.warps, capacity_.warps) &&
         fits(allocated.registers, wanted.registers, capacity_.registers) &&
         fits(allocated.shared_bytes, wanted.shared_bytes, capacity_.shared_bytes);
}

bool ResourcePool::has_space(const Allocation& wanted) const {
  return fits_beside(allocated_, wanted);
}

std::uint32_t ResourcePool::count_fitting_warps(const BlockNeeds& needs) const {
  std::uint64_t fitting = capacity_.warps - allocated_.warps;
  if (const std::uint64_t each = registers_of_warp(needs); each > 0) {
    fitting = std::min(fitting, (capacity_.registers - allocated_.registers) / each);
  }
  return static_cast<std::uint32_t>(fitting);
}

void ResourcePool::allocate(const Allocation& wanted) {
  assert(has_space(wanted));
  allocated_ += wanted;
}

void ResourcePool::release(const Allocation& released, Cycle at) {
  allocated_ -= released;
  const auto later = std::upper_bound(releases_.begin(), releases_.end(), at,
                                      [](Cycle a, const Release& b) { return a < b.at; });
  releases_.insert(later, {.released = released, .at = at});
}

Cycle ResourcePool::space_since(const Allocation& wanted) const {
  Allocation allocated = allocated_;
  for (auto last = releases_.rbegin(); last != releases_.rend(); ++last) {
    allocated += last->released;
    if (!fits_beside(allocated, wanted)) return last->at;
  }
  return {};
}

Occupancy ResourcePool::occupancy(const Allocation& allocation) const {
  Occupancy found{.blocks = std::numeric_limits<std::uint32_t>::max(),
                  .limit = ResidencyLimit::blocks};
  const auto apply = [&](ResidencyLimit limit, std::uint64_t capacity, std::uint64_t wanted) {
    if (wanted == 0 || capacity / wanted >= found.blocks) return;
    found = {.blocks = static_cast<std::uint32_t>(capacity / wanted), .limit = limit};
  };
  apply(ResidencyLimit::registers, capacity_.registers, allocation.registers);
  apply(ResidencyLimit::shared_memory, capacity_.shared_bytes, allocation.shared_bytes);
  apply(ResidencyLimit::warps, capacity_.warps, allocation.warps);
  apply(ResidencyLimit::blocks, capacity_.blocks, allocation.blocks);
  return found;
}

}  // namespace heddle::sm
