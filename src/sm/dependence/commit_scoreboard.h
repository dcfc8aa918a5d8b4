#pragma once

// A scoreboard with a few entries that all warps of a sub-core share, and in-order commit (Xiang,
// Toward Efficient SIMT Execution, section 4.4.2). With it, a warp stalls at the use of a missing
// value, not at the load. A warp can be stopped and resumed between any two instructions.

#include <array>
#include <optional>
#include <span>

#include "sm/dependence/commit_board.h"
#include "sm/dependence/commit_check.h"
#include "sm/dependence/commit_rules.h"
#include "sm/dependence/dependence.h"
#include "sm/dependence/predicate_results.h"

namespace heddle::sm {

struct CommitScoreboardParameters {
  std::uint32_t entries = 8;
  std::uint32_t entry_words = 1;
  bool barriers_commit = true;
  bool predicates_have_entries = true;
  bool check_values = false;

  void declare(config::Declarations& parameters);
  void check(const DependenceContext& context) const;
  static DependenceProperties properties(const DependenceDescription&) {
    return {.needs_active_lanes = true};
  }
  static void storage(config::StorageList& list);
};

/// declare() describes the counters.
struct CommitCounters {
  std::uint64_t issued_without_entry = 0;
  std::uint64_t entries_written = 0;
  std::uint64_t reads = 0;
  std::uint64_t full_cycles = 0;
  std::uint64_t lane_mask_waits = 0;

  void declare(CounterList& counters);
};

class CommitScoreboard : public Dependence, public SharedEntries, public ReadCheck {
 public:
  CommitScoreboard(const CommitScoreboardParameters& parameters, const Bypass& bypass);

  void start(WarpSlot warp, const IssueTable& table) override;
  Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next, LaneMask lanes,
                  Cycle now) override;
  void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
             const Issued& issued) override;
  void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                std::uint32_t access, Cycle done) override;

  SharedEntries* shared_entries() override { return this; }
  WarpSet stuck_warps(WarpSet ready, Cycle now) override {
    const WarpSet wanting = ready & wanting_more_than(board_.free_count());
    return wanting == 0 ? 0 : find_stuck(wanting, now);
  }
  bool has_space(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                 Cycle now) override;
  Cycle next_space(WarpSet stuck, Cycle now) override {
    return std::max(board_.next_space(stuck), now + Cycles(1));
  }
  void count_stuck(std::uint64_t warp_cycles) override { counters_.full_cycles += warp_cycles; }

  ReadCheck* read_check() override { return check_ ? this : nullptr; }
  void check_reads(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                   const StaticWarp& static_warp, Cycle now) override;

  void declare(CounterList& counters) override;

 protected:
  /// For checks: performs all commits up to `now`, including the warp's instruction without an
  /// entry.
  void commit(WarpSlot warp, Cycle now);
  const CommitCheck& check() const { return *check_; }

 private:
  /// A warp's next instruction.
  struct NextInstruction {
    const IssueInfo* info = nullptr;  ///< The instruction of the last call of ready().
    std::uint8_t needs = 0;           ///< The number of entries that it needs.
    /// Whether it has waited for an older entry of its register to commit, because its lanes do not
    /// cover those of the entry.
    bool waited_for_mask = false;
  };
  /// For checks: a warp's last instruction that has issued without an entry and writes registers.
  struct EntrylessWrite {
    std::span<const std::uint16_t> registers{};
    LaneMask lanes{};
    bool is_pending = false;  ///< Whether it has not committed.
  };

  /// When an instruction in unit `reader` can use the results of `writer`: a CommitBoard::Writer or
  /// a PredicateResults::Result.
  template <class Writer>
  Cycle usable_from(const Writer& writer, UnitKind reader) const {
    return bypass_.connects(writer.forwarded_from, reader)
               ? bypass_.earliest_issue(writer.forwarded_from, reader, writer.computed)
               : writer.done;
  }
  /// The number of entries that the instruction needs.
  std::uint8_t entries_of(const IssueTable& table, const IssueInfo& instruction) const {
    if (!has_entries(instruction.kind)) return 0;
    if (!predicates_ && (entry_words_ == 1 || instruction.writes < 2)) return instruction.writes;
    return count_entries(with_entries(table.writes(instruction)));
  }
  /// The results in the list that have entries.
  std::span<const std::uint16_t> with_entries(std::span<const std::uint16_t> writes) const {
    return predicates_ ? PredicateResults::registers_in(writes) : writes;
  }
  std::uint8_t count_entries(std::span<const std::uint16_t> writes) const;
  std::uint32_t width_from(std::span<const std::uint16_t> writes, std::size_t first) const;
  bool may_replace(std::uint8_t older, std::span<const std::uint16_t> writes, LaneMask lanes) const;
  void count_reads(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction, Cycle now);
  /// The warps whose next instruction may need more than `free` entries. Some may need fewer: only
  /// whether an instruction needs one entry or several is recorded as a set.
  WarpSet wanting_more_than(std::uint32_t free) const {
    if (free == 0) return want_one_ | want_more_;
    return free < most_needed_ ? want_more_ : 0;
  }
  void note_next(WarpSlot warp, const IssueTable& table, const IssueInfo& next);
  WarpSet find_stuck(WarpSet wanting, Cycle now);
  /// Whether `entries` entries are free once those of committed instructions have been freed.
  bool has_space(std::uint32_t entries, Cycle now) {
    if (board_.free_count() < entries) remove_committed(now);
    return board_.free_count() >= entries;
  }
  void issue_with_entries(WarpSlot warp, std::span<const std::uint16_t> writes,
                          const IssueInfo& instruction, const Issued& issued);
  void resolve_entryless(WarpSlot warp, Cycle done);
  void issue_predicates(WarpSlot warp, std::span<const std::uint16_t> writes, const Issued& issued);
  void remove_committed(Cycle now);
  // For checks:
  void check_entries(WarpSlot warp, const CommitBoard::Writer& writer);
  void hold(const CommitBoard::Writer& writer);
  void commit(const CommitBoard::Writer& writer);

  Bypass bypass_;
  std::uint32_t entry_words_;
  bool barriers_commit_;
  std::optional<PredicateResults> predicates_;  ///< Present if predicates have no entries.
  CommitBoard board_;
  std::array<NextInstruction, kMaxWarps> next_{};
  WarpSet want_one_ = 0;          ///< Warps whose next instructions need one entry.
  WarpSet want_more_ = 0;         ///< Warps whose next instructions need several.
  std::uint8_t most_needed_ = 1;  ///< The largest need of any instruction so far, in entries.
  CommitCounters counters_;
  std::optional<CommitCheck> check_;
  std::array<EntrylessWrite, kMaxWarps> entryless_writes_{};  ///< For checks.
};

}  // namespace heddle::sm
