#include "sm/dependence/commit_board.h"

#include <cassert>

namespace heddle::sm {

CommitBoard::CommitBoard(std::uint32_t entries)
    : free_(entries == kMostEntries ? ~EntrySet{0} : (EntrySet{1} << entries) - 1),
      free_count_(entries) {
  for (auto& row : latest_) row.fill(kNone);
}

void CommitBoard::clear(WarpSlot warp) {
  List& list = lists_[warp];
  std::uint32_t end = queue_begin_;
  for (std::uint32_t at = queue_begin_; at != queue_end_; ++at) {
    const std::uint8_t first = queue_[at % kMostEntries];
    if (writers_[first].warp != warp) queue_[end++ % kMostEntries] = first;
  }
  queue_end_ = end;
  due_ = front_of_queue();
  take_back(warp, list.entries);
  lones_ &= ~set_of(warp);
  list = {};
}

void CommitBoard::begin_store(WarpSlot warp, std::uint8_t first) {
  List& list = lists_[warp];
  assert(list.unresolved == first);
  list.stored = Cycle::never();
  list.store_entry = first;
  list.store_cause = writers_[first].cause;
}

void CommitBoard::begin_lone(WarpSlot warp, bool stores, bool alone, StallCause cause,
                             std::uint32_t access) {
  List& list = lists_[warp];
  assert(!is_unresolved(list));
  list.lone_pending = true;
  list.lone_access = access;
  list.cause = cause;
  lones_ |= set_of(warp);
  if (alone) list.alone = Cycle::never();
  if (!stores) return;
  list.stored = Cycle::never();
  list.store_cause = cause;
}

void CommitBoard::resolve_lone(WarpSlot warp, Cycle done) {
  List& list = lists_[warp];
  assert(list.lone_pending);
  list.lone_pending = false;
  ++commits_;
  list.clear = std::max(list.clear, done);
  if (list.alone == Cycle::never()) list.alone = done;
  if (list.stored == Cycle::never()) list.stored = list.clear;
  settle(warp);
}

}  // namespace heddle::sm
