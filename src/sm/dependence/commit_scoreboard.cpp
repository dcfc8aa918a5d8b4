#include "sm/dependence/commit_scoreboard.h"

#include <algorithm>
#include <cassert>

#include "exec/block/warp.h"
#include "sm/dependence/commit_rules.h"
#include "sm/threads/static_warp.h"

namespace heddle::sm {
namespace {

/// The latest of several cycles until which an instruction waits, and the reason of that wait.
class LatestWait {
 public:
  void wait(Cycle until, WaitReason reason) {
    if (until <= readiness_.at) return;
    readiness_.at = until;
    readiness_.reason = reason;
  }
  void depend_on_lanes() { readiness_.depends_on_lanes = true; }
  const Readiness& readiness() const { return readiness_; }

 private:
  Readiness readiness_{Cycle(0), WaitReason::fixed_latency_result};
};

}  // namespace

CommitScoreboard::CommitScoreboard(const CommitScoreboardParameters& parameters,
                                   const Bypass& bypass)
    : bypass_(bypass),
      entry_words_(parameters.entry_words),
      barriers_commit_(parameters.barriers_commit),
      board_(parameters.entries) {
  if (!parameters.predicates_have_entries) predicates_.emplace();
  if (parameters.check_values) check_.emplace();
}

void CommitScoreboard::start(WarpSlot warp, const IssueTable&) {
  // The slot's previous warp has ended. Its results are never read.
  board_.clear(warp);
  if (predicates_) predicates_->start(warp);
  next_[warp].info = nullptr;
  if (!check_) return;
  check_->start(warp);
  entryless_writes_[warp] = {};
}

inline void CommitScoreboard::remove_committed(Cycle now) {
  board_.remove_committed(now, [&](const CommitBoard::Writer& writer) {
    if (check_) [[unlikely]]
      commit(writer);
  });
}

bool CommitScoreboard::has_space(WarpSlot warp, const IssueTable& table,
                                 const IssueInfo& instruction, Cycle now) {
  return has_space(entries_of(table, instruction), now) || !board_.is_busy(warp, now);
}

[[gnu::cold]] void CommitScoreboard::commit(const CommitBoard::Writer& writer) {
  CommitBoard::for_each_entry(writer.entries, [&](std::uint8_t number) {
    check_->commit(writer.warp, number, board_.entry(number));
  });
}

void CommitScoreboard::commit(WarpSlot warp, Cycle now) {
  remove_committed(now);
  EntrylessWrite& write = entryless_writes_[warp];
  if (!write.is_pending || board_[warp].blocked_until > now) return;
  check_->commit_last(warp, write.registers, write.lanes);
  write.is_pending = false;
}

// -- when an instruction may issue ----------------------------------------------------------------

Readiness CommitScoreboard::ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next,
                                  LaneMask lanes, Cycle now) {
  if (next_[warp].info != &next) note_next(warp, table, next);
  const CommitBoard::List& list = board_[warp];
  LatestWait latest;
  latest.wait(list.blocked_until, list.reason);
  if (predicates_) {
    for (const std::uint16_t reg : table.reads_and_writes(next)) {
      if (!PredicateResults::is_predicate(reg)) continue;
      const PredicateResults::Result& result = predicates_->of(warp, reg);
      latest.wait(usable_from(result, next.unit), result.reason);
    }
  }
  if (must_be_oldest(next, barriers_commit_)) {
    latest.wait(board_.all_committed_at(warp), board_.reason_of_wait(warp));
    return latest.readiness();
  }
  if (is_load(next.kind)) latest.wait(list.store_committed_at, list.store_reason);
  if (!board_.is_busy(warp, now)) return latest.readiness();
  for (const std::uint16_t reg : table.reads(next)) {
    const CommitBoard::Writer* const writer = board_.writer_of(warp, reg, now);
    if (writer != nullptr) latest.wait(usable_from(*writer, next.unit), writer->reason);
  }
  // The guard may be among the unknown values. Then the lanes that execute the instruction are also
  // unknown.
  if (latest.readiness().at == Cycle::never()) return latest.readiness();
  const std::span<const std::uint16_t> writes = with_entries(table.writes(next));
  for (const std::uint16_t reg : writes) {
    const CommitBoard::Writer* const older = board_.writer_of(warp, reg, now);
    if (older == nullptr) continue;
    latest.depend_on_lanes();
    if (may_replace(board_.find(warp, reg), writes, lanes)) continue;
    next_[warp].waited_for_mask = true;
    const bool is_known = older->committed != Cycle::never();
    latest.wait(older->committed, is_known ? older->reason : board_.reason_of_wait(warp));
  }
  return latest.readiness();
}

/// Whether the entries of a later instruction, which writes the registers `writes` in `lanes`,
/// replace the older entry `number` completely: they must cover all its lanes and registers. An
/// entry that a memory response has yet to write cannot be replaced.
bool CommitScoreboard::may_replace(std::uint8_t number, std::span<const std::uint16_t> writes,
                                   LaneMask lanes) const {
  const CommitBoard::Entry& older = board_.entry(number);
  if (!older.lanes.without(lanes).empty()) return false;
  const CommitBoard::Writer& writer = board_.writer(number);
  if (writer.written_by_memory && writer.done == Cycle::never()) return false;
  for (std::uint32_t i = 0; i < older.width; ++i) {
    const auto reg = static_cast<std::uint16_t>(older.tag + i);
    if (std::find(writes.begin(), writes.end(), reg) == writes.end()) return false;
  }
  return true;
}

/// The number of consecutive registers in `writes`, from index `first` on, that share an entry.
std::uint32_t CommitScoreboard::width_from(std::span<const std::uint16_t> writes,
                                           std::size_t first) const {
  std::uint32_t width = 1;
  while (width < entry_words_ && first + width < writes.size() &&
         writes[first + width] < kFirstPredicate &&
         writes[first + width] == writes[first] + width) {
    ++width;
  }
  return width;
}

/// Notes the warp's next instruction. An instruction of a wrong path is replaced by the next one
/// for which ready() is called.
void CommitScoreboard::note_next(WarpSlot warp, const IssueTable& table, const IssueInfo& next) {
  const std::uint8_t entries = entries_of(table, next);
  const bool needs_same = next_[warp].needs == entries;
  next_[warp] = {.info = &next, .needs = entries};
  if (needs_same) return;
  most_needed_ = std::max(most_needed_, entries);
  const WarpSet self = set_of(warp);
  want_one_ = entries == 1 ? want_one_ | self : want_one_ & ~self;
  want_more_ = entries > 1 ? want_more_ | self : want_more_ & ~self;
}

std::uint8_t CommitScoreboard::count_entries(std::span<const std::uint16_t> writes) const {
  std::uint8_t entries = 0;
  for (std::size_t i = 0; i < writes.size(); i += width_from(writes, i)) ++entries;
  return entries;
}

// -- free entries ---------------------------------------------------------------------------------

/// The members of `wanting` that need more entries than are free. Warps with nothing in flight are
/// not stuck: they issue without an entry.
[[gnu::noinline]] WarpSet CommitScoreboard::find_stuck(WarpSet wanting, Cycle now) {
  remove_committed(now);
  wanting &= wanting_more_than(board_.free_count());
  if (const std::uint32_t free = board_.free_count(); free > 0) {
    for_each_warp(wanting, [&](WarpSlot warp) {
      if (next_[warp].needs <= free) wanting &= ~set_of(warp);
    });
  }
  return board_.busy_warps(wanting, now);
}

// -- an instruction issues and completes ----------------------------------------------------------

void CommitScoreboard::check_reads(WarpSlot warp, const IssueTable& table,
                                   const IssueInfo& instruction, const StaticWarp& static_warp,
                                   Cycle now) {
  commit(warp, now);
  check_->begin(warp, static_warp.warp->context);
  for (const std::uint16_t reg : table.reads(instruction)) {
    const CommitBoard::Writer* const writer = board_.writer_of(warp, reg, now);
    const std::uint8_t number = board_.find(warp, reg);
    check_->read(warp, reg, LaneMask(static_warp.warp->context.active), number,
                 writer == nullptr ? nullptr : &board_.entry(number),
                 writer != nullptr && usable_from(*writer, instruction.unit) <= now);
  }
}

[[gnu::always_inline]] inline void CommitScoreboard::count_reads(WarpSlot warp,
                                                                 const IssueTable& table,
                                                                 const IssueInfo& instruction,
                                                                 Cycle now) {
  if (!board_.is_busy(warp, now)) return;
  for (const std::uint16_t reg : table.reads(instruction)) {
    if (board_.writer_of(warp, reg, now) != nullptr) ++counters_.reads;
  }
}

void CommitScoreboard::issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                             const Issued& issued) {
  count_reads(warp, table, instruction, issued.at);
  NextInstruction& next = next_[warp];
  if (next.waited_for_mask) [[unlikely]] {
    ++counters_.lane_mask_waits;
    next.waited_for_mask = false;
  }
  const std::span<const std::uint16_t> writes = table.writes(instruction);
  const bool stores = is_store(instruction.kind);
  if (predicates_ && has_entries(instruction.kind)) issue_predicates(warp, writes, issued);
  if (next.needs > 0) {
    if (has_space(next.needs, issued.at)) {
      counters_.entries_written += next.needs;
      return issue_with_entries(warp, with_entries(writes), instruction, issued);
    }
    ++counters_.issued_without_entry;
  } else if (predicates_ && has_entries(instruction.kind) && !stores) {
    return;
  }
  if (writes.empty() && !stores) return;
  board_.begin_entryless(warp, stores, !writes.empty(), issued.reason, issued.access);
  if (check_ && !writes.empty()) {
    entryless_writes_[warp] = {.registers = writes, .lanes = issued.lanes, .is_pending = true};
  }
  if (issued.done != Cycle::never()) resolve_entryless(warp, issued.done);
}

/// Notes the predicates among the results `writes`, which have no entries.
void CommitScoreboard::issue_predicates(WarpSlot warp, std::span<const std::uint16_t> writes,
                                        const Issued& issued) {
  for (const std::uint16_t reg : writes.subspan(with_entries(writes).size())) {
    assert(PredicateResults::is_predicate(reg));
    predicates_->of(warp, reg) = {.done = issued.done,
                                  .computed = issued.computed,
                                  .forwarded_from = issued.forwarded_from,
                                  .reason = issued.reason};
    if (check_) check_->write_at_once(warp, reg, issued.lanes);
  }
}

[[gnu::always_inline]] inline void CommitScoreboard::issue_with_entries(
    WarpSlot warp, std::span<const std::uint16_t> writes, const IssueInfo& instruction,
    const Issued& issued) {
  const auto entry_from = [&](std::size_t i) {
    return CommitBoard::Entry{.tag = writes[i],
                              .width = static_cast<std::uint8_t>(width_from(writes, i)),
                              .lanes = issued.lanes};
  };
  const CommitBoard::Entry leading = entry_from(0);
  const std::uint8_t first_entry = board_.append(warp, leading);
  for (std::size_t i = leading.width; i < writes.size();) {
    const CommitBoard::Entry entry = entry_from(i);
    board_.append_entry(warp, entry);
    i += entry.width;
  }
  const bool stores = is_store(instruction.kind);
  const bool is_known = issued.done != Cycle::never();
  CommitBoard::Writer& writer = board_.writer(first_entry);
  writer.forwarded_from = issued.forwarded_from;
  writer.written_by_memory = stores && !is_known;
  writer.reason = issued.reason;
  writer.access = issued.access;
  writer.done = issued.done;
  writer.computed = issued.computed;
  if (stores) board_.begin_store(warp, first_entry);
  if (check_) [[unlikely]]
    check_entries(warp, writer);
  if (is_known) board_.schedule_commits(warp);
}

void CommitScoreboard::complete(WarpSlot warp, const IssueTable& table,
                                const IssueInfo& instruction, std::uint32_t access, Cycle done) {
  if (predicates_) {
    const std::span<const std::uint16_t> writes = table.writes(instruction);
    for (const std::uint16_t reg : writes.subspan(with_entries(writes).size())) {
      PredicateResults::Result& result = predicates_->of(warp, reg);
      result.done = result.computed = done;
    }
  }
  const CommitBoard::List& list = board_[warp];
  if (list.entryless_pending && list.entryless_access == access) {
    return resolve_entryless(warp, done);
  }
  const std::uint8_t first_entry = board_.find_waiting_for(warp, access);
  assert(first_entry != CommitBoard::kNone);
  if (check_ && board_.writer(first_entry).written_by_memory) hold(board_.writer(first_entry));
  board_.resolve(warp, first_entry, done);
}

void CommitScoreboard::resolve_entryless(WarpSlot warp, Cycle done) {
  board_.resolve_entryless(warp, done);
  if (check_ && !entryless_writes_[warp].is_pending) check_->commit_last(warp, {}, {});
}

[[gnu::cold]] void CommitScoreboard::check_entries(WarpSlot warp,
                                                   const CommitBoard::Writer& writer) {
  CommitBoard::for_each_entry(writer.entries,
                              [&](std::uint8_t number) { check_->number_entry(warp, number); });
  if (!writer.written_by_memory) hold(writer);
}

void CommitScoreboard::hold(const CommitBoard::Writer& writer) {
  CommitBoard::for_each_entry(writer.entries, [&](std::uint8_t number) {
    check_->hold(writer.warp, number, board_.entry(number));
  });
}

void CommitScoreboard::declare(CounterList& counters) {
  counters.add("commits", board_.commits(), "instructions",
               "that wrote registers or memory, in order");
  counters_.declare(counters);
  if (check_) check_->declare(counters);
}

namespace {

const DependenceRegistry::Entry commit_scoreboard_entry{
    "commit-scoreboard",
    "a few entries, shared by all warps of a sub-core, hold results until they commit in order",
    [](const CommitScoreboardParameters& parameters, const DependencePlace& place) {
      return std::make_unique<CommitScoreboard>(parameters, place.bypass);
    }};

}  // namespace
}  // namespace heddle::sm
