#include "sm/dependence/commit_scoreboard.h"

#include <algorithm>
#include <cassert>

#include "exec/block/warp.h"
#include "sm/dependence/commit_rules.h"
#include "sm/pipeline/travellers.h"

namespace heddle::sm {
namespace {

/// What is waited for, and the cause of what comes last.
class Latest {
 public:
  void wait(Cycle until, StallCause cause) {
    if (until <= readiness_.at) return;
    readiness_.at = until;
    readiness_.cause = cause;
  }
  void hang_on_lanes() { readiness_.hangs_on_lanes = true; }
  const Readiness& readiness() const { return readiness_; }

 private:
  Readiness readiness_{Cycle(0), StallCause::wait};
};

}  // namespace

CommitScoreboard::CommitScoreboard(const CommitScoreboardParameters& own, const Bypass& bypass)
    : bypass_(bypass), entry_words_(own.entry_words), board_(own.entries) {
  if (own.checked) check_.emplace();
}

void CommitScoreboard::start(WarpSlot warp, const IssueTable&) {
  // What a warp that has ended wrote last, nobody reads.
  board_.clear(warp);
  next_[warp].waited_for_mask = false;
  if (!check_) return;
  check_->start(warp);
  alone_[warp] = {};
}

inline void CommitScoreboard::take_off(Cycle now) {
  board_.take_off(now, [&](const CommitBoard::Writer& writer) {
    if (check_) [[unlikely]]
      commit(writer);
  });
}

bool CommitScoreboard::has_room(WarpSlot warp, const IssueTable& table,
                                const IssueInfo& instruction, Cycle now) {
  return has_room(entries_of(table, instruction), now) || !board_.is_busy(warp, now);
}

[[gnu::cold]] void CommitScoreboard::commit(const CommitBoard::Writer& writer) {
  CommitBoard::for_each_entry(writer.entries, [&](std::uint8_t number) {
    check_->commit(writer.warp, number, board_.entry(number));
  });
}

void CommitScoreboard::commit(WarpSlot warp, Cycle now) {
  take_off(now);
  Alone& alone = alone_[warp];
  if (!alone.pending || board_[warp].alone > now) return;
  check_->commit_last(warp, alone.words, alone.lanes);
  alone.pending = false;
}

// -- when an instruction may issue ----------------------------------------------------------------

Readiness CommitScoreboard::ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next,
                                  LaneMask lanes, Cycle now) {
  note_needs(warp, entries_of(table, next));
  const CommitBoard::List& list = board_[warp];
  Latest latest;
  latest.wait(list.alone, list.cause);
  if (must_be_oldest(next)) {
    latest.wait(board_.clear_from(warp), board_.cause_of_wait(warp));
    return latest.readiness();
  }
  if (is_load(next.kind)) latest.wait(list.stored, list.store_cause);
  if (!board_.is_busy(warp, now)) return latest.readiness();
  for (const std::uint16_t word : table.reads(next)) {
    const CommitBoard::Writer* const writer = board_.writer_of(warp, word, now);
    if (writer != nullptr) latest.wait(usable(*writer, next.unit), writer->cause);
  }
  // Which lanes execute it is known when its guard is.
  if (latest.readiness().at == Cycle::never()) return latest.readiness();
  const std::span<const std::uint16_t> writes = table.writes(next);
  for (const std::uint16_t word : writes) {
    const CommitBoard::Writer* const older = board_.writer_of(warp, word, now);
    if (older == nullptr) continue;
    latest.hang_on_lanes();
    if (may_replace(board_.find(warp, word), writes, lanes)) continue;
    next_[warp].waited_for_mask = true;
    const bool is_known = older->committed != Cycle::never();
    latest.wait(older->committed, is_known ? older->cause : board_.cause_of_wait(warp));
  }
  return latest.readiness();
}

/// Whether nobody will look for anything in the older entry once there are those of a later
/// instruction, which so many lanes execute. What memory itself will write to the register cannot
/// be overtaken.
bool CommitScoreboard::may_replace(std::uint8_t number, std::span<const std::uint16_t> writes,
                                   LaneMask lanes) const {
  const CommitBoard::Entry& older = board_.entry(number);
  if (!older.lanes.without(lanes).empty()) return false;
  const CommitBoard::Writer& writer = board_.writer(number);
  if (writer.comes_late && writer.done == Cycle::never()) return false;
  for (std::uint32_t i = 0; i < older.words; ++i) {
    const auto word = static_cast<std::uint16_t>(older.tag + i);
    if (std::find(writes.begin(), writes.end(), word) == writes.end()) return false;
  }
  return true;
}

/// How many of the registers that are written share an entry, from the one in that place on.
std::uint32_t CommitScoreboard::words_from(std::span<const std::uint16_t> writes,
                                           std::size_t first) const {
  std::uint32_t words = 1;
  while (words < entry_words_ && first + words < writes.size() &&
         writes[first + words] < kFirstPredicate &&
         writes[first + words] == writes[first] + words) {
    ++words;
  }
  return words;
}

void CommitScoreboard::note_needs(WarpSlot warp, std::uint8_t entries) {
  if (next_[warp].needs == entries) return;
  next_[warp].needs = entries;
  most_needed_ = std::max(most_needed_, entries);
  const WarpSet me = set_of(warp);
  want_one_ = entries == 1 ? want_one_ | me : want_one_ & ~me;
  want_more_ = entries > 1 ? want_more_ | me : want_more_ & ~me;
}

std::uint8_t CommitScoreboard::count_entries(std::span<const std::uint16_t> writes) const {
  std::uint8_t entries = 0;
  for (std::size_t i = 0; i < writes.size(); i += words_from(writes, i)) ++entries;
  return entries;
}

// -- room -----------------------------------------------------------------------------------------

/// Those that need more than there is, but for warps that have nothing under way: these issue
/// without an entry.
[[gnu::noinline]] WarpSet CommitScoreboard::find_stuck(WarpSet wanting, Cycle now) {
  take_off(now);
  wanting &= wanting_more_than(board_.free());
  if (const std::uint32_t free = board_.free(); free > 0) {
    for_each_warp(wanting, [&](WarpSlot warp) {
      if (next_[warp].needs <= free) wanting &= ~set_of(warp);
    });
  }
  return board_.busy(wanting, now);
}

// -- an instruction's way -------------------------------------------------------------------------

void CommitScoreboard::begin(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                             const Row& row, Cycle now) {
  commit(warp, now);
  check_->begin(warp, row.warp->context);
  for (const std::uint16_t word : table.reads(instruction)) {
    const CommitBoard::Writer* const writer = board_.writer_of(warp, word, now);
    const std::uint8_t number = board_.find(warp, word);
    check_->read(warp, word, LaneMask(row.warp->context.active), number,
                 writer == nullptr ? nullptr : &board_.entry(number),
                 writer != nullptr && usable(*writer, instruction.unit) <= now);
  }
}

[[gnu::always_inline]] inline void CommitScoreboard::count_reads(WarpSlot warp,
                                                                 const IssueTable& table,
                                                                 const IssueInfo& instruction,
                                                                 Cycle now) {
  if (!board_.is_busy(warp, now)) return;
  for (const std::uint16_t word : table.reads(instruction)) {
    if (board_.writer_of(warp, word, now) != nullptr) ++counters_.reads;
  }
}

void CommitScoreboard::issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                             const Issued& issued) {
  count_reads(warp, table, instruction, issued.at);
  NextOne& own = next_[warp];
  if (own.waited_for_mask) [[unlikely]] {
    ++counters_.mask_waits;
    own.waited_for_mask = false;
  }
  const std::span<const std::uint16_t> writes = table.writes(instruction);
  const bool stores = is_store(instruction.kind);
  if (own.needs > 0) {
    if (has_room(own.needs, issued.at)) {
      counters_.entries_written += own.needs;
      return issue_with_entries(warp, writes, instruction, issued);
    }
    ++counters_.alone;
  }
  if (writes.empty() && !stores) return;
  board_.begin_lone(warp, stores, !writes.empty(), issued.cause, issued.access);
  if (check_ && !writes.empty()) {
    alone_[warp] = {.words = writes, .lanes = issued.lanes, .pending = true};
  }
  if (issued.done != Cycle::never()) resolve_lone(warp, issued.done);
}

[[gnu::always_inline]] inline void CommitScoreboard::issue_with_entries(
    WarpSlot warp, std::span<const std::uint16_t> writes, const IssueInfo& instruction,
    const Issued& issued) {
  const auto entry_from = [&](std::size_t i) {
    return CommitBoard::Entry{.tag = writes[i],
                              .words = static_cast<std::uint8_t>(words_from(writes, i)),
                              .lanes = issued.lanes};
  };
  const CommitBoard::Entry leading = entry_from(0);
  const std::uint8_t first = board_.append(warp, leading);
  for (std::size_t i = leading.words; i < writes.size();) {
    const CommitBoard::Entry entry = entry_from(i);
    board_.append_more(warp, entry);
    i += entry.words;
  }
  const bool stores = is_store(instruction.kind);
  const bool is_known = issued.done != Cycle::never();
  CommitBoard::Writer& writer = board_.writer(first);
  writer.unit = instruction.unit;
  writer.comes_late = stores && !is_known;
  writer.cause = issued.cause;
  writer.access = issued.access;
  writer.done = issued.done;
  writer.computed = issued.computed;
  if (stores) board_.begin_store(warp, first);
  if (check_) [[unlikely]]
    check_entries(warp, writer);
  if (is_known) board_.settle(warp);
}

void CommitScoreboard::complete(WarpSlot warp, const IssueTable&, const IssueInfo&,
                                std::uint32_t access, Cycle done) {
  const CommitBoard::List& list = board_[warp];
  if (list.lone_pending && list.lone_access == access) return resolve_lone(warp, done);
  const std::uint8_t first = board_.find_access(warp, access);
  assert(first != CommitBoard::kNone);
  if (check_ && board_.writer(first).comes_late) hold(board_.writer(first));
  board_.resolve(warp, first, done);
}

void CommitScoreboard::resolve_lone(WarpSlot warp, Cycle done) {
  board_.resolve_lone(warp, done);
  if (check_ && !alone_[warp].pending) check_->commit_last(warp, {}, {});
}

[[gnu::cold]] void CommitScoreboard::check_entries(WarpSlot warp,
                                                   const CommitBoard::Writer& writer) {
  CommitBoard::for_each_entry(writer.entries,
                              [&](std::uint8_t number) { check_->number_entry(warp, number); });
  if (!writer.comes_late) hold(writer);
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
    "few entries, which all warps share, keep results until they commit in order",
    [](const CommitScoreboardParameters& own, const DependencePlace& place) {
      return std::make_unique<CommitScoreboard>(own, place.bypass);
    }};

}  // namespace
}  // namespace heddle::sm
