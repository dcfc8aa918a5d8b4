#include "sm/dependence/commit_board.h"

#include <cassert>

namespace heddle::sm {

CommitBoard::CommitBoard(std::uint32_t entries)
    : free_(entries == kMaxEntries ? ~EntrySet{0} : (EntrySet{1} << entries) - 1),
      free_count_(entries) {
  for (auto& latest_of_warp : latest_) latest_of_warp.fill(kNone);
}

void CommitBoard::clear(WarpSlot warp) {
  List& list = lists_[warp];
  std::uint32_t end = queue_begin_;
  for (std::uint32_t at = queue_begin_; at != queue_end_; ++at) {
    const std::uint8_t first_entry = queue_[at % kMaxEntries];
    if (writers_[first_entry].warp != warp) queue_[end++ % kMaxEntries] = first_entry;
  }
  queue_end_ = end;
  next_commit_ = front_of_queue();
  free_entries(warp, list.entries);
  entryless_warps_ &= ~set_of(warp);
  list = {};
}

void CommitBoard::begin_store(WarpSlot warp, std::uint8_t first_entry) {
  List& list = lists_[warp];
  assert(list.unresolved == first_entry);
  list.store_committed_at = Cycle::never();
  list.store_entry = first_entry;
  list.store_reason = writers_[first_entry].reason;
}

void CommitBoard::begin_entryless(WarpSlot warp, bool stores, bool blocks_all, WaitReason reason,
                                  std::uint32_t access) {
  List& list = lists_[warp];
  assert(!is_unresolved(list));
  list.entryless_pending = true;
  list.entryless_access = access;
  list.reason = reason;
  entryless_warps_ |= set_of(warp);
  if (blocks_all) list.blocked_until = Cycle::never();
  if (!stores) return;
  list.store_committed_at = Cycle::never();
  list.store_reason = reason;
}

void CommitBoard::resolve_entryless(WarpSlot warp, Cycle done) {
  List& list = lists_[warp];
  assert(list.entryless_pending);
  list.entryless_pending = false;
  ++commits_;
  list.all_committed = std::max(list.all_committed, done);
  if (list.blocked_until == Cycle::never()) list.blocked_until = done;
  if (list.store_committed_at == Cycle::never()) list.store_committed_at = list.all_committed;
  schedule_commits(warp);
}

}  // namespace heddle::sm
