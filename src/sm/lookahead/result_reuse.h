#pragma once

// The reuse of results that warps have computed ahead (Kim et al., Warped-Preexecution,
// sections 5.1 and 5.2). Results ahead are written to renaming registers. When the normal context
// of the warp reaches an instruction that has been executed ahead, it does not execute it. It
// renames the destination instead.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/inline_vector.h"
#include "exec/block/warp.h"
#include "exec/block/warp_context.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"
#include "sm/lookahead/lookahead.h"
#include "sm/lookahead/preexecution_queue.h"
#include "sm/lookahead/renaming_registers.h"
#include "sm/sub_cores/sub_cores.h"

namespace heddle::sm {

/// Which renaming register holds each register and predicate of a warp, in one of its contexts. The
/// paper's table has 63 entries, one for each register. Predicates are registers there; here they
/// have entries of their own.
class RenamingTable {
 public:
  static constexpr std::uint16_t kRegisters = 63;

  RenamingTable() { numbers_.fill(kNotRenamed); }
  static bool has(std::uint16_t entry) { return entry < kRegisters || entry >= kFirstPredicate; }
  RenamingRegister operator[](std::uint16_t entry) const { return numbers_[index_of(entry)]; }
  /// Renames the entry, or says that it is not renamed. Returns how it was renamed before.
  RenamingRegister set(std::uint16_t entry, RenamingRegister number) {
    return set_index(index_of(entry), number);
  }
  RenamingRegister set_index(std::size_t index, RenamingRegister number) {
    const RenamingRegister before = std::exchange(numbers_[index], number);
    renamed_ += static_cast<std::uint32_t>(number != kNotRenamed);
    renamed_ -= static_cast<std::uint32_t>(before != kNotRenamed);
    return before;
  }
  /// Whether any entry is renamed. Only then are sources looked up.
  bool has_any() const { return renamed_ != 0; }
  static constexpr std::size_t kEntries = kRegisters + (kScoreboardEntries - kFirstPredicate);
  const std::array<RenamingRegister, kEntries>& numbers() const { return numbers_; }

 private:
  static std::size_t index_of(std::uint16_t entry) {
    return entry < kRegisters ? entry : std::size_t{kRegisters} + entry - kFirstPredicate;
  }

  std::array<RenamingRegister, kEntries> numbers_;
  std::uint32_t renamed_ = 0;  ///< The number of renamed entries.
};

class ResultReuse {
 public:
  ResultReuse(const ReuseParameters& parameters, const SmDescription& sm, SubCores& sub_cores);

  // -- the second context -------------------------------------------------------------------------
  /// The warp begins to run ahead. What is left in its queue is dropped: places are counted from
  /// the instruction that waits now.
  void begin(WarpSlot warp);
  /// The warp no longer runs ahead.
  void end(WarpSlot warp);
  /// Whether the results can be renamed. A result without an entry in the table cannot.
  static bool can_rename(std::span<const std::uint16_t> results);
  /// Whether an instruction with so many results can issue ahead at `now`. As in the paper, no
  /// instruction issues ahead without a free register, even if it has no result.
  bool has_registers(std::size_t results, Cycle now) {
    return registers_.has(std::max(static_cast<std::uint32_t>(results), 1U), now);
  }
  /// The first cycle after `now` in which has_registers() may become true by itself; never() if an
  /// instruction or a block must free registers.
  Cycle next_register(Cycle now) const { return registers_.next(now); }
  /// An instruction ahead has been executed at `now`: renames its results, which can be read from
  /// `usable` on. If that is never(), the result is a load that `token` names, and complete() will
  /// report it.
  void add(WarpSlot warp, std::uint32_t pc, std::span<const std::uint16_t> results,
           const exec::WarpContext& executed, Cycle now, Cycle usable, std::uint32_t token);
  /// From now on, results ahead are not reused until the next begin(): the warp may meet the same
  /// instruction twice, and only the second was executed.
  void close_queue(WarpSlot warp) { warps_[warp].is_closed = true; }
  void count_preload() { ++counters_.preloads; }
  /// An instruction with so many sources issues ahead.
  void look_up_ahead(WarpSlot warp, std::size_t sources) {
    if (warps_[warp].ahead.has_any()) counters_.renaming_lookups += sources;
  }

  /// A load that add() has reported completes. Its results can be read from `usable` on.
  void complete(std::uint32_t token, Cycle usable);

  // -- the normal context -------------------------------------------------------------------------
  /// The warp continues at `pc`. Returns whether the result of that instruction is at the head of
  /// the queue, and its arrival known. If so, the next instruction of the warp is reused.
  bool take(WarpSlot warp, std::uint32_t pc);
  /// Whether the warp's next instruction is reused.
  bool is_reusing(WarpSlot warp) const { return (reusing_ & set_of(warp)) != 0; }
  /// After take(): how many of the instructions from `pc` on the front end need not fetch, because
  /// the queue has them.
  std::uint32_t count_queued(WarpSlot warp, std::uint32_t pc) const {
    return warps_[warp].queue.count_from(pc);
  }
  /// The reused instruction has issued at `now`, and `executed` has the values of its results.
  /// Renames them. Returns when they can be read.
  Cycle reuse(WarpSlot warp, const exec::Warp& executed, Cycle now);
  /// An instruction that is not reused issues, with so many sources. `by_all`: whether all threads
  /// write its results.
  void observe_issue(WarpSlot warp, std::size_t sources, std::span<const std::uint16_t> results,
                     bool by_all);
  void end_warp(WarpSlot warp);
  /// Blocks leave `free` registers of the multiprocessor. They take back renaming registers that
  /// are in use. Returns the warps that lose results of their second context.
  WarpSet set_free_registers(std::uint32_t free);

  /// Counts the cycles until `now` in which renaming registers were in use. Called before a change.
  void count_until(Cycle now) { registers_.count_until(now); }
  void declare(CounterList& counters);

 private:
  struct WarpState {
    explicit WarpState(std::uint32_t places) : queue(places) {}

    RenamingTable normal;
    RenamingTable ahead;
    PreexecutionQueue queue;
    PreexecutedInstruction next;  ///< If is_reusing(): the instruction that is reused.
    bool is_ahead = false;
    bool is_closed = false;  ///< Whether the queue accepts no more instructions.
  };
  /// A load ahead whose completion time is not known.
  struct Load {
    std::uint32_t token = 0;
    WarpSlot warp = 0;
    InlineVector<RenamingRegister, PreexecutedInstruction::kMostResults> renamed;
  };
  struct Counters {
    std::uint64_t reused = 0;
    std::uint64_t preloads = 0;
    std::uint64_t renamings = 0;
    std::uint64_t queue_accesses = 0;
    std::uint64_t queue_misses = 0;
    std::uint64_t renaming_lookups = 0;
    std::uint64_t not_queued = 0;
    std::uint64_t late = 0;
    std::uint64_t dropped = 0;
    std::uint64_t moved = 0;
    std::uint64_t wrong_results = 0;

    void declare(CounterList& counters);
  };

  void clear_queue(WarpState& state);
  void release_results(const PreexecutedInstruction& instruction);
  void release_table(RenamingTable& table);
  void replace(RenamingTable& table, std::uint16_t entry, RenamingRegister number);
  void move_back(WarpSlot warp, WarpState& state);
  bool has_lost(WarpState& state) const;

  SubCores& sub_cores_;
  RenamingRegisters registers_;
  std::vector<WarpState> warps_;  ///< By slot.
  WarpSet reusing_ = 0;           ///< See is_reusing().
  WarpSet live_ = 0;              ///< Warps that have run ahead, and have not ended.
  std::vector<Load> loads_;
  std::uint32_t free_ = 0;
  Counters counters_;
};

}  // namespace heddle::sm
