#include "locality/recent_groups.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace heddle::locality {

std::size_t RecentGroups::slot_of(std::uint64_t group) const {
  // Multiplicative hashing with 2^64 over the golden ratio.
  const std::size_t mask = slots_.size() - 1;
  const int unused_bits = 64 - std::countr_zero(slots_.size());
  std::size_t slot = (group * 0x9e3779b97f4a7c15U) >> unused_bits;
  while (slots_[slot].time != 0 && group_of(slots_[slot].address) != group) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

LastAccess& RecentGroups::enter(std::uint64_t address, std::uint64_t now, Scratch& scratch) {
  const std::uint64_t group = group_of(address);
  const LastAccess& last = slots_[last_];
  if (last.time != 0 && group_of(last.address) == group) return slots_[last_];
  std::size_t slot = slot_of(group);
  if (slots_[slot].time == 0) {
    if ((used_ + 1) * 4 > slots_.size() * 3) {
      remove_old(now, scratch);
      slot = slot_of(group);
    }
    ++used_;
  }
  last_ = slot;
  return slots_[slot];
}

LastAccess* RecentGroups::find(std::uint64_t group) {
  LastAccess& entry = slots_[slot_of(group)];
  return entry.time != 0 ? &entry : nullptr;
}

/// Removes entries that are older than the largest window. Doubles the table if more than half of
/// it is used by the others. At least a quarter of it is then free.
void RecentGroups::remove_old(std::uint64_t now, Scratch& scratch) {
  scratch.clear();
  for (const LastAccess& entry : slots_) {
    if (entry.time != 0 && is_within_largest_window(entry, now)) scratch.push_back(entry);
  }
  const bool must_grow = scratch.size() * 2 > slots_.size();
  slots_.assign(must_grow ? slots_.size() * 2 : slots_.size(), LastAccess{});
  insert_all(scratch);
}

void RecentGroups::assign(const RecentGroups& larger) {
  std::vector<LastAccess> entries;
  std::copy_if(larger.slots_.begin(), larger.slots_.end(), std::back_inserter(entries),
               [](const LastAccess& entry) { return entry.time != 0; });
  slots_.assign(larger.slots_.size(), LastAccess{});
  insert_all(entries);
}

/// Fills an empty table.
void RecentGroups::insert_all(const std::vector<LastAccess>& entries) {
  for (const LastAccess& entry : entries) slots_[slot_of(group_of(entry.address))] = entry;
  used_ = entries.size();
}

}  // namespace heddle::locality
