#include "locality/line_table.h"

#include <algorithm>
#include <utility>

namespace heddle::locality {

void LineTable::clear() {
  if (used_ == 0) return;
  std::fill(slots_.begin(), slots_.end(), Slot{});
  used_ = 0;
}

void LineTable::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  for (const Slot& slot : old) {
    if (slot.number != 0) slots_[slot_of(slot.line)] = slot;
  }
}

}  // namespace heddle::locality
