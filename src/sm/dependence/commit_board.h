#pragma once

// The commit board contains the entries of a scoreboard that all warps of a sub-core share, and for
// each warp a list of the instructions in flight, which commit in program order (Xiang, Toward
// Efficient SIMT Execution, section 4.4.2).
//
// An instruction commits when it has written back and all earlier instructions of its warp have
// committed. An instruction that issues in the cycle of the commit already sees the result. A core
// without a scoreboard has the same timing: the write-back makes the warp ready in the same cycle
// (section 4.4). A warp with one instruction in flight is therefore equally fast on both.
//
// The cycle of a commit is computed as soon as the completion times of the instruction and of all
// earlier ones of its warp are known. From then on the instruction is in a queue sorted by commit
// cycle. Entries of committed instructions are freed only when an entry is needed. A look-up must
// therefore compare the commit cycle with the current cycle.

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/instructions/unit_kind.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

class CommitBoard {
 public:
  static constexpr std::uint32_t kMaxEntries = 64;
  using EntrySet = std::uint64_t;                     ///< Bit i: entry number i.
  static constexpr std::uint8_t kNone = kMaxEntries;  ///< Number of no entry.

  /// A result that an issued instruction writes to a register, or to two consecutive registers.
  struct Entry {
    std::uint16_t tag = 0;             ///< The (first) register, in the numbering of an IssueTable.
    std::uint8_t width = 1;            ///< The number of registers, 1 or 2.
    std::uint8_t first_entry = kNone;  ///< Of the instruction; it is its Writer's index.
    LaneMask lanes{};                  ///< The lanes that the instruction writes.
  };

  /// An instruction that has entries; indexed by the number of its first entry.
  struct Writer {
    EntrySet entries = 0;
    std::uint8_t warp = 0;
    std::uint8_t next = kNone;  ///< The warp's next writer; kNone if it is the last.
    /// Whether a memory response will write the register: with the old values of an atomic.
    bool written_by_memory = false;
    UnitKind forwarded_from = UnitKind::control;  ///< Issued::forwarded_from
    WaitReason reason = WaitReason::fixed_latency_result;
    std::uint32_t access = 0;          ///< The token of its memory access (Issued::access).
    Cycle done = Cycle::never();       ///< When it writes back (Issued::done).
    Cycle computed = Cycle::never();   ///< When a bypass can forward its result.
    Cycle committed = Cycle::never();  ///< When it commits.
  };

  /// The instructions that a warp has in flight, and when they commit. A cycle that is not known
  /// yet is never().
  struct List {
    EntrySet entries = 0;
    std::uint8_t unresolved = kNone;   ///< The first writer whose commit cycle is unknown.
    std::uint8_t last = kNone;         ///< The last such writer, if there is any.
    std::uint8_t store_entry = kNone;  ///< The first entry of an atomic's results.
    /// Whether the oldest instruction has no entry and its completion time is unknown.
    bool entryless_pending = false;
    /// What the last instruction's commit waits for.
    WaitReason reason = WaitReason::fixed_latency_result;
    /// What a store or an atomic waits for.
    WaitReason store_reason = WaitReason::fixed_latency_result;
    std::uint32_t entryless_access = 0;  ///< The access of an instruction without entry.
    /// When all instructions with known commit cycles have committed.
    Cycle all_committed{};
    /// When the last store or atomic commits. Until then the paper's in-store flag is set.
    Cycle store_committed_at{};
    /// When an instruction without an entry has written its registers. Until then nothing issues.
    Cycle blocked_until{};
  };

  /// `entries`: their number, up to kMaxEntries.
  explicit CommitBoard(std::uint32_t entries);

  const List& operator[](WarpSlot warp) const { return lists_[warp]; }
  const Entry& entry(std::uint8_t number) const { return entries_[number]; }
  /// The instruction that the entry belongs to.
  const Writer& writer(std::uint8_t number) const { return writers_[entries_[number].first_entry]; }
  Writer& writer(std::uint8_t number) { return writers_[entries_[number].first_entry]; }

  // -- a warp's list ------------------------------------------------------------------------------
  /// Empties the warp's list.
  void clear(WarpSlot warp);
  /// The last instruction that writes the register, if it has not committed at `now`: a reader of
  /// the register waits for it. Null if there is none, or if it has committed.
  const Writer* writer_of(WarpSlot warp, std::uint16_t reg, Cycle now) const {
    const std::uint8_t number = find(warp, reg);
    if (number == kNone) return nullptr;
    const Writer& writer = this->writer(number);
    return writer.committed > now ? &writer : nullptr;
  }
  /// The number of the register's latest entry; its instruction may have committed. kNone if there
  /// is none.
  std::uint8_t find(WarpSlot warp, std::uint16_t reg) const { return latest_[warp][reg]; }
  /// Whether the warp has instructions that have not committed at `now`.
  bool is_busy(WarpSlot warp, Cycle now) const {
    const List& list = lists_[warp];
    return list.all_committed > now || is_unresolved(list);
  }
  /// The members of `warps` that are busy at `now`. Call remove_committed(now) first.
  WarpSet busy_warps(WarpSet warps, Cycle now) {
    for_each_warp(warps & entryless_warps_ & ~warps_with_entries_, [&](WarpSlot warp) {
      if (!is_busy(warp, now)) entryless_warps_ &= ~set_of(warp);
    });
    return warps & (warps_with_entries_ | entryless_warps_);
  }
  /// The cycle from which the warp is not busy; never() if it is not known yet.
  Cycle all_committed_at(WarpSlot warp) const {
    const List& list = lists_[warp];
    return is_unresolved(list) ? Cycle::never() : list.all_committed;
  }
  /// What a warp waits for until all_committed_at().
  WaitReason reason_of_wait(WarpSlot warp) const {
    const List& list = lists_[warp];
    const bool has_head = !list.entryless_pending && list.unresolved != kNone;
    return has_head ? writers_[list.unresolved].reason : list.reason;
  }

  // -- an instruction issues ----------------------------------------------------------------------
  /// Appends an instruction to the warp's list, allocates its first entry and returns the entry's
  /// number. The caller must then set the members of its Writer (unit, written_by_memory, reason,
  /// access, done, computed). If the completion time is known, it must also call
  /// schedule_commits().
  std::uint8_t append(WarpSlot warp, Entry entry) {
    entry.first_entry = static_cast<std::uint8_t>(std::countr_zero(free_));
    List& list = lists_[warp];
    if (list.unresolved == kNone) {
      list.unresolved = entry.first_entry;
    } else {
      writers_[list.last].next = entry.first_entry;
    }
    list.last = entry.first_entry;
    warps_with_entries_ |= set_of(warp);
    Writer& writer = writers_[entry.first_entry];
    writer.entries = 0;
    writer.warp = static_cast<std::uint8_t>(warp);
    writer.next = kNone;
    writer.committed = Cycle::never();
    return allocate_entry(warp, entry);
  }
  /// Allocates another entry for the instruction that was appended last. Returns its number.
  std::uint8_t append_entry(WarpSlot warp, Entry entry) {
    entry.first_entry = lists_[warp].last;
    return allocate_entry(warp, entry);
  }
  /// Notes that the instruction appended last, whose first entry is `first_entry`, is an atomic. It
  /// must be the warp's only instruction in flight. Loads wait for it, as for a store.
  void begin_store(WarpSlot warp, std::uint8_t first_entry);
  /// Begins an instruction without an entry. No earlier instruction of the warp may have an unknown
  /// completion time. `stores`: loads wait for it. `blocks_all`: all instructions wait for it.
  void begin_entryless(WarpSlot warp, bool stores, bool blocks_all, WaitReason reason,
                       std::uint32_t access);

  // -- an instruction's completion time becomes known ---------------------------------------------
  /// The first entry of the instruction that waits for a memory access; kNone if there is none.
  std::uint8_t find_waiting_for(WarpSlot warp, std::uint32_t access) const {
    std::uint8_t number = lists_[warp].unresolved;
    while (number != kNone &&
           (writers_[number].done != Cycle::never() || writers_[number].access != access)) {
      number = writers_[number].next;
    }
    return number;
  }
  /// Sets the completion time of the instruction whose first entry is `first_entry`.
  void resolve(WarpSlot warp, std::uint8_t first_entry, Cycle done) {
    writers_[first_entry].done = done;
    writers_[first_entry].computed = done;
    schedule_commits(warp);
  }
  /// Computes the commit cycles of the warp's instructions, up to the first whose completion time
  /// is unknown. Each commits as soon as it is done, in program order, at most one per cycle.
  void schedule_commits(WarpSlot warp);
  /// Sets the completion time of the warp's instruction without an entry.
  void resolve_entryless(WarpSlot warp, Cycle done);

  // -- commit -------------------------------------------------------------------------------------
  /// Removes all instructions that have committed at `now`, and frees their entries. Calls
  /// each(writer) for each of them, in order of commit.
  template <class Each>
  void remove_committed(Cycle now, Each each) {
    for (; next_commit_ <= now; next_commit_ = front_of_queue()) {
      const Writer& writer = writers_[queue_[queue_begin_++ % kMaxEntries]];
      each(writer);
      free_entries(writer.warp, writer.entries);
    }
  }
  /// The number of free entries.
  std::uint32_t free_count() const { return free_count_; }
  /// The first cycle in which more entries may be free, or one of the warps in `busy` may no longer
  /// be busy. `busy`: a result of busy_warps().
  Cycle next_space(WarpSet busy) const {
    Cycle next = next_commit_;
    for_each_warp(busy & ~warps_with_entries_,
                  [&](WarpSlot warp) { next = std::min(next, all_committed_at(warp)); });
    return next;
  }
  /// The number of instructions so far whose commit cycle is known. Some commit in the future.
  const std::uint64_t& commits() const { return commits_; }

  /// Calls each(number) for the entries in the set.
  template <class Each>
  static void for_each_entry(EntrySet entries, Each&& each) {
    for (; entries != 0; entries &= entries - 1) {
      each(static_cast<std::uint8_t>(std::countr_zero(entries)));
    }
  }

 private:
  static bool is_unresolved(const List& list) {
    return list.entryless_pending || list.unresolved != kNone;
  }
  std::uint8_t allocate_entry(WarpSlot warp, const Entry& entry);
  void free_entries(WarpSlot warp, EntrySet entries);
  void enqueue(std::uint8_t first_entry);
  Cycle front_of_queue() const {
    return queue_begin_ == queue_end_ ? Cycle::never()
                                      : writers_[queue_[queue_begin_ % kMaxEntries]].committed;
  }

  EntrySet free_;
  std::uint32_t free_count_;
  WarpSet warps_with_entries_ = 0;
  WarpSet entryless_warps_ = 0;  ///< Warps that may have an instruction without an entry in flight.
  std::uint64_t commits_ = 0;
  Cycle next_commit_ = Cycle::never();  ///< The commit cycle of the queue's first instruction.
  /// The first entries of instructions whose commit cycle is known, in order of that cycle.
  std::array<std::uint8_t, kMaxEntries> queue_{};
  std::uint32_t queue_begin_ = 0;
  std::uint32_t queue_end_ = 0;
  std::array<Entry, kMaxEntries> entries_{};
  std::array<Writer, kMaxEntries> writers_{};
  std::array<List, kMaxWarps> lists_{};
  /// By warp and register: the latest entry, or kNone.
  std::array<std::array<std::uint8_t, kScoreboardEntries>, kMaxWarps> latest_{};
};

inline std::uint8_t CommitBoard::allocate_entry(WarpSlot warp, const Entry& entry) {
  assert(free_ != 0);
  const auto number = static_cast<std::uint8_t>(std::countr_zero(free_));
  const EntrySet bit = EntrySet{1} << number;
  free_ &= ~bit;
  --free_count_;
  entries_[number] = entry;
  writers_[entry.first_entry].entries |= bit;
  lists_[warp].entries |= bit;
  std::uint8_t* const latest = &latest_[warp][entry.tag];
  latest[0] = number;
  if (entry.width > 1) latest[1] = number;
  return number;
}

inline void CommitBoard::free_entries(WarpSlot warp, EntrySet entries) {
  List& list = lists_[warp];
  free_ |= entries;
  list.entries &= ~entries;
  if (list.entries == 0) warps_with_entries_ &= ~set_of(warp);
  for_each_entry(entries, [&](std::uint8_t number) {
    ++free_count_;
    const Entry& entry = entries_[number];
    std::uint8_t* const latest = &latest_[warp][entry.tag];
    if (latest[0] == number) latest[0] = kNone;
    if (entry.width > 1 && latest[1] == number) latest[1] = kNone;
  });
}

inline void CommitBoard::schedule_commits(WarpSlot warp) {
  List& list = lists_[warp];
  if (list.entryless_pending) return;
  while (list.unresolved != kNone && writers_[list.unresolved].done != Cycle::never()) {
    const std::uint8_t first_entry = list.unresolved;
    Writer& oldest = writers_[first_entry];
    oldest.committed = std::max(oldest.done, list.all_committed + Cycles(1));
    if (oldest.committed == oldest.done) list.reason = oldest.reason;
    list.unresolved = oldest.next;
    list.all_committed = oldest.committed;
    if (list.store_entry == first_entry) {
      list.store_committed_at = list.all_committed;
      list.store_entry = kNone;
    }
    ++commits_;
    enqueue(first_entry);
  }
}

/// Inserts the instruction into the sorted queue. Searches its place from the end, because most new
/// commit cycles are later than those in the queue.
inline void CommitBoard::enqueue(std::uint8_t first_entry) {
  const Cycle committed = writers_[first_entry].committed;
  std::uint32_t at = queue_end_++;
  for (; at != queue_begin_; --at) {
    const std::uint8_t before = queue_[(at - 1) % kMaxEntries];
    if (writers_[before].committed <= committed) break;
    queue_[at % kMaxEntries] = before;
  }
  queue_[at % kMaxEntries] = first_entry;
  next_commit_ = std::min(next_commit_, committed);
}

}  // namespace heddle::sm
