#pragma once

// The entries of a scoreboard that all warps of a multiprocessor share, and each warp's list of
// them, which commits in order (Xiang, Toward Efficient SIMT Execution, section 4.4.2).
//
// An instruction commits as it writes back, in time for what issues in that cycle, if all before it
// have: as without a scoreboard the write-back makes its warp ready in time (section 4.4). So a
// warp that has room for nothing under way but one instruction is no slower than without a
// scoreboard. When that is is computed as soon as its results' time and those of all before it in
// its list are known. From then on its entries are on a wheel, from which they are taken as time
// passes: nobody searches for what has been committed.

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
#include "sm/wake_wheel.h"

namespace heddle::sm {

class CommitBoard {
 public:
  static constexpr std::uint32_t kMostEntries = 64;
  using EntrySet = std::uint64_t;  ///< By number.
  static constexpr std::uint8_t kNone = kMostEntries;

  /// What an instruction that has issued writes to a register, or to several that are neighbours.
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

  // -- a warp's list ------------------------------------------------------------------------------
  /// Forgets what the warp has.
  void clear(WarpSlot warp);
  /// The entry that has the register, or kNone: the last that it was given, until it is committed.
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
  /// An instruction at the end of the warp's list, with an entry of those that are free.
  std::uint8_t append(WarpSlot warp, Entry entry, Cycle now) {
    // Long waits are not to be turned through.
    if (due_ == Cycle::never() && now > past_) past_ = Cycle(now.number - 1);
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
    writer.done = Cycle::never();
    writer.committed = Cycle::never();
    return give_entry(warp, entry);
  }
  /// Another entry of the one that was appended last.
  std::uint8_t append_more(WarpSlot warp, Entry entry) {
    entry.first = lists_[warp].last;
    return give_entry(warp, entry);
  }
  /// One that is the oldest has no entry. `stores`: loads wait for it; `alone`: all do.
  void begin_lone(WarpSlot warp, bool stores, bool alone);
  /// One that is the oldest, and whose results go to entries from `first` on: loads wait for it.
  void begin_store(WarpSlot warp, std::uint8_t first);

  // -- and its results' time is known -------------------------------------------------------------
  /// What others wait for, of an instruction with entries.
  void describe(WarpSlot warp, std::uint8_t first, UnitKind unit, StallCause cause,
                std::uint32_t access, bool comes_late) {
    Writer& writer = writers_[first];
    writer.unit = unit;
    writer.cause = cause;
    writer.access = access;
    writer.comes_late = comes_late;
    if (lists_[warp].store_entry == first) lists_[warp].store_cause = cause;
  }
  void describe_lone(WarpSlot warp, StallCause cause, std::uint32_t access) {
    List& list = lists_[warp];
    list.lone_access = access;
    list.cause = cause;
    if (list.stored == Cycle::never()) list.store_cause = cause;
  }
  /// The instruction that waits for an access, or kNone.
  std::uint8_t find_access(WarpSlot warp, std::uint32_t access) const {
    std::uint8_t number = lists_[warp].unresolved;
    while (number != kNone &&
           (writers_[number].done != Cycle::never() || writers_[number].access != access)) {
      number = writers_[number].next;
    }
    return number;
  }
  void resolve(WarpSlot warp, std::uint8_t first, Cycle done, Cycle computed) {
    writers_[first].done = done;
    writers_[first].computed = computed;
    List& list = lists_[warp];
    if (list.unresolved == first) propagate(list);
  }
  void resolve_lone(WarpSlot warp, Cycle done);

  // -- commit -------------------------------------------------------------------------------------
  /// Takes off all lists what has been committed at `now`: each(warp, number), a warp's in order.
  template <class Each>
  void commit(Cycle now, Each each) {
    if (due_ > now) return;
    for (due_ = wheel_.next(past_); due_ <= now; due_ = wheel_.next(past_)) {
      past_ = Cycle(due_.number - 1);
      for_each_entry(wheel_.take(due_) & ~free_, [&](std::uint8_t number) {
        const Writer& writer = this->writer(number);
        if (writer.committed <= due_) {
          each(writer.warp, number);
          take_back(writer.warp, number);
        } else if (writer.committed != Cycle::never()) {
          // It is farther away than a wheel is long, or another's than when it was put there.
          wheel_.add(EntrySet{1} << number, writer.committed, past_);
        }
      });
    }
  }
  /// Whether there is anything to take off.
  bool is_due(Cycle now) const { return due_ <= now; }
  std::uint32_t free() const { return free_count_; }
  /// The first cycle in which more may be free, or one of these not busy.
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
  void take_back(WarpSlot warp, std::uint8_t number);
  void propagate(List& list);

  EntrySet free_;
  std::uint32_t free_count_;
  WarpSet holders_ = 0;  ///< Warps with entries.
  WarpSet lones_ = 0;    ///< Warps that issued something without one, perhaps long ago.
  std::uint64_t commits_ = 0;
  Cycle due_ = Cycle::never();  ///< The first cycle in which something may have to be taken off.
  Cycle past_{};                ///< All until then has been taken off.
  WakeWheel wheel_;             ///< Entries of which it is known when they are committed.
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
  for (std::size_t i = 0; i < entry.words; ++i) latest_[warp][entry.tag + i] = number;
  return number;
}

inline void CommitBoard::take_back(WarpSlot warp, std::uint8_t number) {
  const EntrySet bit = EntrySet{1} << number;
  free_ |= bit;
  ++free_count_;
  const Entry& entry = entries_[number];
  for (std::size_t i = 0; i < entry.words; ++i) {
    std::uint8_t& latest = latest_[warp][entry.tag + i];
    if (latest == number) latest = kNone;
  }
  List& list = lists_[warp];
  list.entries &= ~bit;
  if (list.entries == 0) holders_ &= ~set_of(warp);
}

}  // namespace heddle::sm
