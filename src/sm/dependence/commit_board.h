#pragma once

// The entries of a scoreboard that all warps of a multiprocessor share, and each warp's list of
// them, which commits in order (Xiang, Toward Efficient SIMT Execution, section 4.4.2).
//
// When an instruction commits is computed as soon as its results' time and those of all before it
// in its list are known. Nothing is done in the cycle itself: an entry is taken off its list when
// its warp is next looked at, or when others need room.

#include <array>
#include <bit>
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

  /// What an instruction that has issued writes to a register, or to several that are neighbours.
  struct Entry {
    std::uint16_t tag = 0;  ///< The first register, in the numbering of an IssueTable.
    std::uint8_t words = 1;
    std::uint8_t next = kNone;  ///< Of its warp's list.
    bool begins = true;         ///< Of an instruction's entries it is the first.
    bool comes_late = false;    ///< Memory itself writes the register, when it answers.
    UnitKind unit = UnitKind::integer;
    StallCause cause = StallCause::wait;
    LaneMask lanes{};
    std::uint32_t access = 0;
    Cycle done = Cycle::never();
    Cycle computed = Cycle::never();
  };

  /// What a warp has under way, and when that is over; never() where it is not known yet.
  struct List {
    EntrySet entries = 0;
    EntrySet matching = 0;  ///< Those whose register no later one has taken over.
    std::uint8_t head = kNone;
    std::uint8_t tail = kNone;
    std::uint8_t unresolved = kNone;   ///< The first whose commit is not known.
    std::uint8_t store_entry = kNone;  ///< Where an atomic's results are.
    bool lone_pending = false;  ///< One without an entry is ahead of all these, without a time.
    StallCause cause = StallCause::wait;        ///< What its last commit waits for.
    StallCause store_cause = StallCause::wait;  ///< Of a store or an atomic.
    std::uint32_t lone_access = 0;
    Cycle clear{};   ///< From then on all that is resolved has been committed.
    Cycle stored{};  ///< The same of its last store or atomic: the in-store flag is off.
    Cycle alone{};   ///< One without an entry that writes registers has written them.
  };

  explicit CommitBoard(std::uint32_t entries)
      : all_(entries == kMostEntries ? ~EntrySet{0} : (EntrySet{1} << entries) - 1), free_(all_) {}

  const List& operator[](WarpSlot warp) const { return lists_[warp]; }
  const Entry& entry(std::uint8_t number) const { return entries_[number]; }
  /// When it is committed; never() where that is not known yet.
  Cycle commit_of(std::uint8_t number) const { return commits_at_[number]; }

  // -- a warp's list ------------------------------------------------------------------------------
  /// Forgets what the warp has.
  void clear(WarpSlot warp) {
    free_ |= lists_[warp].entries;
    holders_ &= ~set_of(warp);
    lones_ &= ~set_of(warp);
    lists_[warp] = {};
  }
  /// The matching entry that has the register, or kNone.
  std::uint8_t find(WarpSlot warp, std::uint16_t word) const {
    const std::uint8_t number = latest_[warp][word];
    const bool matches = (lists_[warp].matching >> number & 1) != 0;
    if (!matches) return kNone;
    const Entry& entry = entries_[number];
    return static_cast<std::uint32_t>(word - entry.tag) < entry.words ? number : kNone;
  }
  /// It is found no longer.
  void hide(WarpSlot warp, std::uint8_t number) {
    lists_[warp].matching &= ~(EntrySet{1} << number);
  }
  /// Whether something of the warp's is to be committed at `now` or later.
  bool is_busy(WarpSlot warp, Cycle now) const {
    const List& list = lists_[warp];
    return list.clear > now || is_unresolved(list);
  }
  /// Those that have entries.
  WarpSet holders() const { return holders_; }
  /// All of which that may be so.
  WarpSet perhaps_busy() const { return holders_ | lones_; }
  /// When nothing is any more.
  Cycle clear_from(WarpSlot warp) const {
    const List& list = lists_[warp];
    return is_unresolved(list) ? Cycle::never() : list.clear;
  }
  /// What is waited for until then.
  StallCause cause_of_wait(WarpSlot warp) const {
    const List& list = lists_[warp];
    const bool has_head = !list.lone_pending && list.unresolved != kNone;
    return has_head ? entries_[list.unresolved].cause : list.cause;
  }

  // -- an instruction issues ----------------------------------------------------------------------
  /// An entry at the end of the warp's list, of those that are free.
  std::uint8_t append(WarpSlot warp, std::uint16_t tag, std::uint8_t words, LaneMask lanes,
                      bool begins);
  /// One that is the oldest has no entry. `stores`: loads wait for it; `alone`: all do.
  void begin_lone(WarpSlot warp, bool stores, bool alone);
  /// One that is the oldest, and whose results go to entries from `first` on: loads wait for it.
  void begin_store(WarpSlot warp, std::uint8_t first);

  // -- and its results' time is known -------------------------------------------------------------
  /// What others wait for, of an instruction's entries from `first` on.
  void describe(WarpSlot warp, std::uint8_t first, UnitKind unit, StallCause cause,
                std::uint32_t access, bool comes_late) {
    for_each_of(first, [&](std::uint8_t number) {
      Entry& entry = entries_[number];
      entry.unit = unit;
      entry.cause = cause;
      entry.access = access;
      entry.comes_late = comes_late;
    });
    if (lists_[warp].store_entry == first) lists_[warp].store_cause = cause;
  }
  void describe_lone(WarpSlot warp, StallCause cause, std::uint32_t access) {
    List& list = lists_[warp];
    list.lone_access = access;
    list.cause = cause;
    if (list.stored == Cycle::never()) list.store_cause = cause;
  }
  /// The first entry of the instruction that waits for an access, or kNone.
  std::uint8_t find_access(WarpSlot warp, std::uint32_t access) const {
    std::uint8_t number = lists_[warp].unresolved;
    while (number != kNone &&
           (entries_[number].done != Cycle::never() || entries_[number].access != access)) {
      number = entries_[number].next;
    }
    return number;
  }
  template <class Each>
  void for_each_of(std::uint8_t first, Each each) const {
    std::uint8_t number = first;
    do {
      const std::uint8_t next = entries_[number].next;
      each(number);
      number = next;
    } while (number != kNone && !entries_[number].begins);
  }

  void resolve(WarpSlot warp, std::uint8_t first, Cycle done, Cycle computed);
  void resolve_lone(WarpSlot warp, Cycle done);

  // -- commit -------------------------------------------------------------------------------------
  /// Takes off the warp's list what was committed before `now`: each(number) for those, in order.
  template <class Each>
  void commit(WarpSlot warp, Cycle now, Each each) {
    List& list = lists_[warp];
    while (list.head != kNone && commits_at_[list.head] < now) {
      const std::uint8_t number = list.head;
      each(number);
      const EntrySet bit = EntrySet{1} << number;
      list.head = entries_[number].next;
      list.entries &= ~bit;
      list.matching &= ~bit;
      free_ |= bit;
    }
    if (list.head != kNone) return;
    list.tail = kNone;
    holders_ &= ~set_of(warp);
    if (!is_busy(warp, now)) lones_ &= ~set_of(warp);
  }
  /// As commit(), of all warps, if `entries` may not be free otherwise: each(warp, number).
  template <class Each>
  void make_room(std::uint32_t entries, Cycle now, Each each) {
    if (free() >= entries || now < next_room_) return;
    next_room_ = Cycle::never();
    for (EntrySet left = all_ & ~free_; left != 0; left &= left - 1) {
      const auto number = static_cast<std::uint8_t>(std::countr_zero(left));
      if (commits_at_[number] >= now) {
        note_room(commits_at_[number]);
        continue;
      }
      const WarpSlot warp = owners_[number];
      commit(warp, now, [&](std::uint8_t committed) { each(warp, committed); });
      left &= ~free_ | (left & (~left + 1));
    }
  }
  std::uint32_t free() const { return static_cast<std::uint32_t>(std::popcount(free_)); }
  /// After make_room() for more than are free: the first cycle in which more may be.
  Cycle next_room() const { return next_room_; }
  /// Instructions whose commit is known.
  const std::uint64_t& commits() const { return commits_; }

 private:
  static bool is_unresolved(const List& list) {
    return list.lone_pending || list.unresolved != kNone;
  }
  void note_room(Cycle commit) {
    if (commit < next_room_) next_room_ = commit + Cycles(1);
  }
  void propagate(List& list);

  EntrySet all_;
  EntrySet free_;
  WarpSet holders_ = 0;  ///< Warps with entries.
  WarpSet lones_ = 0;    ///< Warps that issued something without one, perhaps long ago.
  Cycle next_room_ = Cycle::never();
  std::uint64_t commits_ = 0;
  std::array<Cycle, kMostEntries> commits_at_{};  ///< By entry.
  std::array<std::uint8_t, kMostEntries> owners_{};
  /// The entry that a register was given last, perhaps another's since: instead of a comparison
  /// with all tags.
  std::array<std::array<std::uint8_t, kScoreboardEntries>, kMostWarps> latest_{};
  std::array<Entry, kMostEntries> entries_{};
  std::array<List, kMostWarps> lists_{};
};

}  // namespace heddle::sm
