#include "memory/mshr_table.h"

#include <bit>

#include "base/error.h"

namespace heddle::memory {

MshrTable::MshrTable(const Parameters& parameters)
    : entries_(parameters.entries), merges_(parameters.merges) {
  if (entries_ == 0) throw InputError("an MSHR table needs at least one entry");
  if (merges_ == 0) {
    throw InputError("an MSHR entry must hold at least one request");
  }
  const std::uint64_t slots = std::bit_ceil(std::uint64_t{2} * entries_);
  hash_shift_ = 64 - std::countr_zero(slots);
  slot_mask_ = slots - 1;
  slots_.resize(slots);
  tokens_.resize(std::size_t{entries_} * (merges_ - 1));
  free_rows_.reserve(entries_);
  for (std::uint32_t row = entries_; row-- > 0;) free_rows_.push_back(row);
}

// A search ends at an empty slot, so an emptied slot could hide the lines in the slots after it.
// Such lines therefore move into the emptied slot (deletion without tombstones: Knuth, The Art of
// Computer Programming, volume 3, section 6.4, algorithm R).
void MshrTable::empty_slot(std::size_t slot) {
  std::size_t hole = slot;
  for (std::size_t next = after(hole); slots_[next].row != kNoRow; next = after(next)) {
    const std::size_t displaced = (next - preferred_slot(slots_[next].line)) & slot_mask_;
    const std::size_t distance = (next - hole) & slot_mask_;
    if (displaced < distance) continue;  // The search for it begins after the hole.
    slots_[hole] = slots_[next];
    hole = next;
  }
  slots_[hole] = Entry{};
}

}  // namespace heddle::memory
