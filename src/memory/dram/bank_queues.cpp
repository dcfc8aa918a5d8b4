#include "memory/dram/bank_queues.h"

#include <cassert>

namespace heddle::memory {

BankQueues::BankQueues(std::uint32_t entries, std::uint32_t banks)
    : banks_(banks), entries_(entries) {
  for (std::uint32_t i = 0; i + 1 < entries; ++i) entries_[i].next = i + 1;
}

bool BankQueues::add(std::uint32_t bank, const Entry& request, bool is_for_open_row) {
  assert(!full());
  const std::uint32_t index = free_;
  free_ = entries_[index].next;
  entries_[index] = request;
  entries_[index].next = kNone;
  ++queued_;

  Bank& queue = banks_[bank];
  if (is_for_open_row && queue.hit == kNone) {
    queue.hit = index;
    queue.before_hit = queue.last;
  }
  (queue.first == kNone ? queue.first : entries_[queue.last].next) = index;
  queue.last = index;
  return queue.first == index || queue.hit == index;
}

void BankQueues::on_row_opened_for_oldest(std::uint32_t bank) {
  banks_[bank].hit = banks_[bank].first;
  banks_[bank].before_hit = kNone;
}

void BankQueues::remove_hit(std::uint32_t bank) {
  Bank& queue = banks_[bank];
  const std::uint32_t taken = queue.hit;
  std::uint32_t before = queue.before_hit;
  std::uint32_t next = entries_[taken].next;
  (before == kNone ? queue.first : entries_[before].next) = next;
  if (queue.last == taken) queue.last = before;

  // Requests older than the removed hit are for other rows, so the search starts after it.
  while (next != kNone && entries_[next].row != entries_[taken].row) {
    before = next;
    next = entries_[next].next;
  }
  queue.hit = next;
  queue.before_hit = before;

  entries_[taken].next = free_;
  free_ = taken;
  --queued_;
}

}  // namespace heddle::memory
