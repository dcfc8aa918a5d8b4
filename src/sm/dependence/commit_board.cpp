#include "sm/dependence/commit_board.h"

#include <cassert>

namespace heddle::sm {

CommitBoard::CommitBoard(std::uint32_t entries)
    : free_(entries == kMostEntries ? ~EntrySet{0} : (EntrySet{1} << entries) - 1),
      free_count_(entries) {
  for (auto& row : latest_) row.fill(kNone);
}

void CommitBoard::clear(WarpSlot warp) {
  for_each_entry(lists_[warp].entries, [&](std::uint8_t number) { take_back(warp, number); });
  lones_ &= ~set_of(warp);
  lists_[warp] = {};
}

void CommitBoard::begin_lone(WarpSlot warp, bool stores, bool alone) {
  List& list = lists_[warp];
  assert(!is_unresolved(list));
  list.lone_pending = true;
  lones_ |= set_of(warp);
  if (stores) list.stored = Cycle::never();
  if (alone) list.alone = Cycle::never();
}

void CommitBoard::begin_store(WarpSlot warp, std::uint8_t first) {
  List& list = lists_[warp];
  assert(list.unresolved == first);
  list.stored = Cycle::never();
  list.store_entry = first;
}

void CommitBoard::resolve_lone(WarpSlot warp, Cycle done) {
  List& list = lists_[warp];
  assert(list.lone_pending);
  list.lone_pending = false;
  ++commits_;
  list.clear = std::max(list.clear, done);
  if (list.alone == Cycle::never()) list.alone = done;
  if (list.stored == Cycle::never()) list.stored = list.clear;
  propagate(list);
}

/// Finds out when instructions commit: as soon as they are done, in order, one in a cycle.
void CommitBoard::propagate(List& list) {
  if (list.lone_pending) return;
  while (list.unresolved != kNone && writers_[list.unresolved].done != Cycle::never()) {
    const std::uint8_t first = list.unresolved;
    Writer& oldest = writers_[first];
    oldest.committed = std::max(oldest.done, list.clear + Cycles(1));
    if (oldest.committed == oldest.done) list.cause = oldest.cause;
    list.unresolved = oldest.next;
    list.clear = oldest.committed;
    if (list.store_entry == first) {
      list.stored = list.clear;
      list.store_entry = kNone;
    }
    ++commits_;
    wheel_.add(oldest.entries, std::max(list.clear, past_ + Cycles(1)), past_);
    due_ = std::min(due_, list.clear);
  }
}

}  // namespace heddle::sm
