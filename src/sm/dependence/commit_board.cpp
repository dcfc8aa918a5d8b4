#include "sm/dependence/commit_board.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

std::uint8_t CommitBoard::append(WarpSlot warp, std::uint16_t tag, std::uint8_t words,
                                 LaneMask lanes, bool begins) {
  assert(free_ != 0);
  const auto number = static_cast<std::uint8_t>(std::countr_zero(free_));
  const EntrySet bit = EntrySet{1} << number;
  free_ &= ~bit;
  holders_ |= set_of(warp);
  commits_at_[number] = Cycle::never();
  owners_[number] = static_cast<std::uint8_t>(warp);
  entries_[number] = {.tag = tag, .words = words, .begins = begins, .lanes = lanes};
  for (std::size_t i = 0; i < words; ++i) latest_[warp][tag + i] = number;
  List& list = lists_[warp];
  list.entries |= bit;
  list.matching |= bit;
  if (list.tail == kNone) {
    list.head = number;
  } else {
    entries_[list.tail].next = number;
  }
  list.tail = number;
  if (list.unresolved == kNone) list.unresolved = number;
  return number;
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

void CommitBoard::resolve(WarpSlot warp, std::uint8_t first, Cycle done, Cycle computed) {
  for_each_of(first, [&](std::uint8_t number) {
    entries_[number].done = done;
    entries_[number].computed = computed;
  });
  List& list = lists_[warp];
  if (list.unresolved == first) propagate(list);
}

/// What had written its registers alone is over then; a store has to be committed first.
void CommitBoard::resolve_lone(WarpSlot warp, Cycle done) {
  List& list = lists_[warp];
  assert(list.lone_pending);
  list.lone_pending = false;
  ++commits_;
  const bool was_alone = list.alone == Cycle::never();
  list.clear = std::max(list.clear, was_alone ? done : done + Cycles(1));
  if (was_alone) list.alone = done;
  if (list.stored == Cycle::never()) list.stored = list.clear;
  propagate(list);
}

/// Finds out when instructions commit: as soon as they are done, in order, one in a cycle.
void CommitBoard::propagate(List& list) {
  if (list.lone_pending) return;
  while (list.unresolved != kNone && entries_[list.unresolved].done != Cycle::never()) {
    const std::uint8_t first = list.unresolved;
    const Entry& oldest = entries_[first];
    const Cycle commit = std::max(oldest.done, list.clear);
    if (commit == oldest.done) list.cause = oldest.cause;
    for_each_of(first, [&](std::uint8_t number) {
      commits_at_[number] = commit;
      list.unresolved = entries_[number].next;
    });
    list.clear = commit + Cycles(1);
    if (list.store_entry == first) {
      list.stored = list.clear;
      list.store_entry = kNone;
    }
    ++commits_;
    note_room(commit);
  }
}

}  // namespace heddle::sm
