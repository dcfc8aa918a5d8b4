#pragma once

// The entries of a scoreboard that all warps of a multiprocessor share, and each warp's list of
// them, which commits in order (Xiang, Toward Efficient SIMT Execution, section 4.4.2).
//
// An instruction commits as it writes back, in time for what issues in that cycle, if all before it
// have: as without a scoreboard the write-back makes its warp ready in time (section 4.4). So a
// warp that has room for nothing under way but one instruction is no slower than without a
// scoreboard. When that is is computed as soon as its results' time and those of all before it in
// its list are known; from then on it is in a queue by that time. Its entries are taken off the
// board when somebody needs room: until then they are there, and whoever finds one looks at the
// time.

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/issue_table.h"
#include "sm/stall_cause.h"
#include "sm/units/unit_kind.h"

namespace heddle::sm {

class CommitBoard {
 public:
  static constexpr std::uint32_t kMostEntries = 64;
  using EntrySet = std::uint64_t;  ///< By number.
  static constexpr std::uint8_t kNone = kMostEntries;

  /// What an instruction that has issued writes to a register, or to two that are neighbours.
  struct Entry {
    std::uint16_t tag = 0;  ///< The first register, in the numbering of an IssueTable.
    std::uint8_t words = 1;
    std::uint8_t first = kNone;  ///< Of the instruction's entries: its Writer.
    LaneMask lanes{};
  };

  /// An instruction that has entries, by the number of the first.
  struct Writer {
    EntrySet entries = 0;
    std::uint8_t warp = 0;
    std::uint8_t next = kNone;  ///< Of its warp.
    bool comes_late = false;    ///< Memory itself writes the register, when it answers.
    UnitKind unit = UnitKind::integer;
    StallCause cause = StallCause::wait;
    std::uint32_t access = 0;
    Cycle done = Cycle::never();
    Cycle computed = Cycle::never();
    Cycle committed = Cycle::never();  ///< From then on it is.
  };

  /// What a warp has under way, and when that is over; never() where it is not known yet.
  struct List {
    EntrySet entries = 0;
    std::uint8_t unresolved = kNone;   ///< The first writer whose commit is not known.
    std::uint8_t last = kNone;         ///< If there is one: the last.
    std::uint8_t store_entry = kNone;  ///< Where an atomic's results are.
    bool lone_pending = false;  ///< One without an entry is ahead of all these, without a time.
    StallCause cause = StallCause::wait;        ///< What its last commit waits for.
    StallCause store_cause = StallCause::wait;  ///< Of a store or an atomic.
    std::uint32_t lone_access = 0;
    Cycle clear{};   ///< From then on all that is resolved has been committed.
    Cycle stored{};  ///< The same of its last store or atomic: the in-store flag is off.
    Cycle alone{};   ///< One without an entry that writes registers has written them.
  };

  explicit CommitBoard(std::uint32_t entries);

  const List& operator[](WarpSlot warp) const { return lists_[warp]; }
  const Entry& entry(std::uint8_t number) const { return entries_[number]; }
  /// Of the instruction that the entry is of.
  const Writer& writer(std::uint8_t number) const { return writers_[entries_[number].first]; }
  Writer& writer(std::uint8_t number) { return writers_[entries_[number].first]; }

  // -- a warp's list ------------------------------------------------------------------------------
  /// Forgets what the warp has.
  void clear(WarpSlot warp);
  /// The instruction that the register waits for at `now`, or null: the last that writes it, until
  /// it is committed.
  const Writer* writer_of(WarpSlot warp, std::uint16_t word, Cycle now) const {
    const std::uint8_t number = find(warp, word);
    if (number == kNone) return nullptr;
    const Writer& writer = this->writer(number);
    return writer.committed > now ? &writer : nullptr;
  }
  /// The entry that the register was given last, or kNone; perhaps it has been committed.
  std::uint8_t find(WarpSlot warp, std::uint16_t word) const { return latest_[warp][word]; }
  /// Whether something of the warp's has not been committed at `now`.
  bool is_busy(WarpSlot warp, Cycle now) const {
    const List& list = lists_[warp];
    return list.clear > now || is_unresolved(list);
  }
  /// Those of `warps` that are busy. All that has been committed at `now` has been taken off.
  WarpSet busy(WarpSet warps, Cycle now) {
    for_each_warp(warps & lones_ & ~holders_, [&](WarpSlot warp) {
      if (!is_busy(warp, now)) lones_ &= ~set_of(warp);
    });
    return warps & (holders_ | lones_);
  }
  /// When nothing is any more.
  Cycle clear_from(WarpSlot warp) const {
    const List& list = lists_[warp];
    return is_unresolved(list) ? Cycle::never() : list.clear;
  }
  /// What is waited for until then.
  StallCause cause_of_wait(WarpSlot warp) const {
    const List& list = lists_[warp];
    const bool has_head = !list.lone_pending && list.unresolved != kNone;
    return has_head ? writers_[list.unresolved].cause : list.cause;
  }

  // -- an instruction issues ----------------------------------------------------------------------
  /// An instruction at the end of the warp's list, with an entry of those that are free. Its
  /// Writer is to be filled in: unit, comes_late, cause, access, done and computed; then it may be
  /// settle()d.
  std::uint8_t append(WarpSlot warp, Entry entry) {
    entry.first = static_cast<std::uint8_t>(std::countr_zero(free_));
    List& list = lists_[warp];
    if (list.unresolved == kNone) {
      list.unresolved = entry.first;
    } else {
      writers_[list.last].next = entry.first;
    }
    list.last = entry.first;
    holders_ |= set_of(warp);
    Writer& writer = writers_[entry.first];
    writer.entries = 0;
    writer.warp = static_cast<std::uint8_t>(warp);
    writer.next = kNone;
    writer.committed = Cycle::never();
    return give_entry(warp, entry);
  }
  /// Another entry of the one that was appended last.
  std::uint8_t append_more(WarpSlot warp, Entry entry) {
    entry.first = lists_[warp].last;
    return give_entry(warp, entry);
  }
  /// One that is the oldest, and whose results go to entries from `first` on: loads wait for it.
  void begin_store(WarpSlot warp, std::uint8_t first);
  /// One that is the oldest and has no entry. `stores`: loads wait for it; `alone`: all do.
  void begin_lone(WarpSlot warp, bool stores, bool alone, StallCause cause, std::uint32_t access);

  // -- and its results' time is known -------------------------------------------------------------
  /// The instruction that waits for an access, or kNone.
  std::uint8_t find_access(WarpSlot warp, std::uint32_t access) const {
    std::uint8_t number = lists_[warp].unresolved;
    while (number != kNone &&
           (writers_[number].done != Cycle::never() || writers_[number].access != access)) {
      number = writers_[number].next;
    }
    return number;
  }
  void resolve(WarpSlot warp, std::uint8_t first, Cycle done) {
    writers_[first].done = done;
    writers_[first].computed = done;
    settle(warp);
  }
  /// Finds out when instructions commit whose results' time is known: as soon as they are done, in
  /// order, one in a cycle.
  void settle(WarpSlot warp);
  void resolve_lone(WarpSlot warp, Cycle done);

  // -- commit -------------------------------------------------------------------------------------
  /// Takes off all lists what has been committed at `now`: each(writer), in order.
  template <class Each>
  void take_off(Cycle now, Each each) {
    for (; due_ <= now; due_ = front_of_queue()) {
      const Writer& writer = writers_[queue_[queue_begin_++ % kMostEntries]];
      each(writer);
      take_back(writer.warp, writer.entries);
    }
  }
  std::uint32_t free() const { return free_count_; }
  /// The first cycle in which more may be free, or one of these not busy; as busy().
  Cycle next_room(WarpSet busy) const {
    Cycle next = due_;
    for_each_warp(busy & ~holders_,
                  [&](WarpSlot warp) { next = std::min(next, clear_from(warp)); });
    return next;
  }
  /// Instructions whose commit is known.
  const std::uint64_t& commits() const { return commits_; }

  template <class Each>
  static void for_each_entry(EntrySet entries, Each&& each) {
    for (; entries != 0; entries &= entries - 1) {
      each(static_cast<std::uint8_t>(std::countr_zero(entries)));
    }
  }

 private:
  static bool is_unresolved(const List& list) {
    return list.lone_pending || list.unresolved != kNone;
  }
  std::uint8_t give_entry(WarpSlot warp, const Entry& entry);
  void take_back(WarpSlot warp, EntrySet entries);
  void enqueue(std::uint8_t first);
  Cycle front_of_queue() const {
    return queue_begin_ == queue_end_ ? Cycle::never()
                                      : writers_[queue_[queue_begin_ % kMostEntries]].committed;
  }

  EntrySet free_;
  std::uint32_t free_count_;
  WarpSet holders_ = 0;  ///< Warps with entries.
  WarpSet lones_ = 0;    ///< Warps that issued something without one, perhaps long ago.
  std::uint64_t commits_ = 0;
  Cycle due_ = Cycle::never();  ///< The first cycle in which something can be taken off.
  /// The first entries of instructions whose commit's time is known, by that time.
  std::array<std::uint8_t, kMostEntries> queue_{};
  std::uint32_t queue_begin_ = 0;
  std::uint32_t queue_end_ = 0;
  std::array<Entry, kMostEntries> entries_{};
  std::array<Writer, kMostEntries> writers_{};
  std::array<List, kMostWarps> lists_{};
  std::array<std::array<std::uint8_t, kScoreboardEntries>, kMostWarps> latest_{};
};

inline std::uint8_t CommitBoard::give_entry(WarpSlot warp, const Entry& entry) {
  assert(free_ != 0);
  const auto number = static_cast<std::uint8_t>(std::countr_zero(free_));
  const EntrySet bit = EntrySet{1} << number;
  free_ &= ~bit;
  --free_count_;
  entries_[number] = entry;
  writers_[entry.first].entries |= bit;
  lists_[warp].entries |= bit;
  std::uint8_t* const latest = &latest_[warp][entry.tag];
  latest[0] = number;
  if (entry.words > 1) latest[1] = number;
  return number;
}

inline void CommitBoard::take_back(WarpSlot warp, EntrySet entries) {
  List& list = lists_[warp];
  free_ |= entries;
  list.entries &= ~entries;
  if (list.entries == 0) holders_ &= ~set_of(warp);
  for_each_entry(entries, [&](std::uint8_t number) {
    ++free_count_;
    const Entry& entry = entries_[number];
    std::uint8_t* const latest = &latest_[warp][entry.tag];
    if (latest[0] == number) latest[0] = kNone;
    if (entry.words > 1 && latest[1] == number) latest[1] = kNone;
  });
}

inline void CommitBoard::settle(WarpSlot warp) {
  List& list = lists_[warp];
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
    enqueue(first);
  }
}

/// Most come last: few take longer than others.
inline void CommitBoard::enqueue(std::uint8_t first) {
  const Cycle committed = writers_[first].committed;
  std::uint32_t at = queue_end_++;
  for (; at != queue_begin_; --at) {
    const std::uint8_t before = queue_[(at - 1) % kMostEntries];
    if (writers_[before].committed <= committed) break;
    queue_[at % kMostEntries] = before;
  }
  queue_[at % kMostEntries] = first;
  due_ = std::min(due_, committed);
}

}  // namespace heddle::sm
