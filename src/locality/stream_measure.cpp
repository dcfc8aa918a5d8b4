#include "locality/stream_measure.h"

#include <bit>
#include <cassert>

namespace heddle::locality {

StreamMeasure::StreamMeasure(Reading reading) : reading_(reading) {
  groups_.reserve(kSizes);
  for (int n = 0; n <= kMaxBits; ++n) groups_.emplace_back(NeighbourhoodBits(n));
}

void StreamMeasure::count_reuse(int n, const LastAccess& earlier, SiteCounts& counts) const {
  ReuseCounts& of_site = counts[static_cast<std::uint32_t>(earlier.site)];
  const std::uint64_t later = time_ - earlier.time;
  // The table of the smallest size in use stands for all smaller ones.
  const int smallest = n == aligned_bits_ ? 0 : n;
  for (int size = smallest; size <= n; ++size) of_site.add_reuse(NeighbourhoodBits(size), later);
}

/// Called before an access whose address is no multiple of 2^aligned_bits_. Fills the tables that
/// are used from now on.
void StreamMeasure::refine(std::uint64_t address) {
  const int finer = std::countr_zero(address);
  const auto coarser = static_cast<std::size_t>(aligned_bits_);
  for (int n = finer; n < aligned_bits_; ++n) {
    groups_[static_cast<std::size_t>(n)].assign(groups_[coarser]);
  }
  aligned_bits_ = finer;
}

/// For Reading::distance: a group next to that of the address. It may have an access that is near.
void StreamMeasure::access_neighbour(int n, std::uint64_t group, std::uint64_t address,
                                     SiteCounts& counts) {
  LastAccess* const earlier = groups_[static_cast<std::size_t>(n)].find(group);
  if (earlier == nullptr || earlier->is_reused != 0 || !is_within_largest_window(*earlier, time_)) {
    return;
  }
  const std::uint64_t distance =
      earlier->address < address ? address - earlier->address : earlier->address - address;
  if (distance >= NeighbourhoodBits(n).bytes()) return;
  count_reuse(n, *earlier, counts);
  earlier->is_reused = 1;
}

void StreamMeasure::access(std::uint64_t address, std::uint32_t pc, SiteCounts& counts) {
  ++time_;
  assert(time_ < std::uint64_t{1} << 40 && pc < 1U << 23);
  if (std::countr_zero(address) < aligned_bits_) refine(address);
  for (int n = aligned_bits_; n <= kMaxBits; ++n) {
    RecentGroups& groups = groups_[static_cast<std::size_t>(n)];
    if (reading_ == Reading::distance) {
      // Each group has at most one access that no later one is near to: its last.
      const std::uint64_t group = groups.group_of(address);
      if (group != 0) access_neighbour(n, group - 1, address, counts);
      access_neighbour(n, group + 1, address, counts);
    }
    LastAccess& last = groups.enter(address, time_, scratch_);
    if (last.time != 0 && last.is_reused == 0 && is_within_largest_window(last, time_)) {
      count_reuse(n, last, counts);
    }
    last = {.address = address, .time = time_, .site = pc};
  }
}

std::size_t StreamMeasure::table_bytes() const {
  std::size_t slots = scratch_.capacity();
  for (const RecentGroups& groups : groups_) slots += groups.slot_count();
  return slots * sizeof(LastAccess);
}

}  // namespace heddle::locality
