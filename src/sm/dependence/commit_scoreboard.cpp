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
  begun_[warp] = {};
  if (!check_) return;
  check_->start(warp);
  alone_[warp] = {};
}

void CommitScoreboard::commit_all(Cycle now) {
  board_.commit(now, [&](WarpSlot warp, std::uint8_t number) {
    if (check_) [[unlikely]]
      check_->commit(warp, number, board_.entry(number));
  });
}

void CommitScoreboard::commit_lone(WarpSlot warp, Cycle now) {
  Alone& alone = alone_[warp];
  if (!alone.pending || board_[warp].alone > now) return;
  check_->commit_last(warp, alone.words, alone.lanes);
  alone.pending = false;
}

// -- when an instruction may issue ----------------------------------------------------------------

Readiness CommitScoreboard::ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next,
                                  LaneMask lanes, Cycle now) {
  commit(warp, now);
  Begun& begun = begun_[warp];
  note_needs(warp, entries_of(table, next));
  const CommitBoard::List& list = board_[warp];
  Latest latest;
  latest.wait(list.alone, list.cause);
  if (must_be_oldest(next)) {
    latest.wait(board_.clear_from(warp), board_.cause_of_wait(warp));
    return latest.readiness();
  }
  if (is_load(next.kind)) latest.wait(list.stored, list.store_cause);
  if (list.entries == 0) return latest.readiness();
  for (const std::uint16_t word : table.reads(next)) {
    const std::uint8_t number = board_.find(warp, word);
    if (number == CommitBoard::kNone) continue;
    const CommitBoard::Writer& writer = board_.writer(number);
    latest.wait(usable(writer, next.unit), writer.cause);
  }
  // Which lanes execute it is known when its guard is.
  if (latest.readiness().at == Cycle::never()) return latest.readiness();
  const std::span<const std::uint16_t> writes = table.writes(next);
  for (const std::uint16_t word : writes) {
    const std::uint8_t number = board_.find(warp, word);
    if (number == CommitBoard::kNone) continue;
    latest.hang_on_lanes();
    if (may_replace(number, writes, lanes)) continue;
    begun.waited_for_mask = true;
    const CommitBoard::Writer& older = board_.writer(number);
    const bool is_known = older.committed != Cycle::never();
    latest.wait(older.committed, is_known ? older.cause : board_.cause_of_wait(warp));
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
  begun_[warp].needs = entries;
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
WarpSet CommitScoreboard::stuck(WarpSet ready, Cycle now) {
  commit(now);
  const std::uint32_t free = board_.free();
  WarpSet wanting = ready & wanting_more_than(free);
  if (wanting == 0) return 0;
  if (free > 0) {
    for_each_warp(wanting, [&](WarpSlot warp) {
      if (begun_[warp].needs <= free) wanting &= ~set_of(warp);
    });
  }
  return board_.busy(wanting, now);
}

// -- an instruction's way -------------------------------------------------------------------------

[[gnu::always_inline]] inline void CommitScoreboard::read_sources(WarpSlot warp,
                                                                  const IssueTable& table,
                                                                  const IssueInfo& instruction) {
  if (board_[warp].entries == 0) return;
  for (const std::uint16_t word : table.reads(instruction)) {
    if (board_.find(warp, word) != CommitBoard::kNone) ++counters_.reads;
  }
}

[[gnu::cold]] void CommitScoreboard::check_sources(WarpSlot warp, const IssueTable& table,
                                                   const IssueInfo& instruction, const Row& row,
                                                   Cycle now) {
  check_->begin(warp, row.warp->context);
  for (const std::uint16_t word : table.reads(instruction)) {
    const std::uint8_t number = board_.find(warp, word);
    const bool is_held = number != CommitBoard::kNone;
    check_->read(warp, word, LaneMask(row.warp->context.active), number,
                 is_held ? &board_.entry(number) : nullptr,
                 is_held && usable(board_.writer(number), instruction.unit) <= now);
  }
}

[[gnu::always_inline]] inline void CommitScoreboard::append_all(
    WarpSlot warp, std::span<const std::uint16_t> writes, LaneMask lanes, Cycle now) {
  for (std::size_t i = 0; i < writes.size();) {
    const std::uint32_t words = words_from(writes, i);
    const CommitBoard::Entry entry{
        .tag = writes[i], .words = static_cast<std::uint8_t>(words), .lanes = lanes};
    const std::uint8_t number =
        i == 0 ? board_.append(warp, entry, now) : board_.append_more(warp, entry);
    if (i == 0) begun_[warp].first = number;
    if (check_) check_->number_entry(warp, number);
    i += words;
  }
}

void CommitScoreboard::begin(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                             const Row& row, Cycle now) {
  commit(warp, now);
  if (check_) check_sources(warp, table, instruction, row, now);
  read_sources(warp, table, instruction);
  Begun& begun = begun_[warp];
  if (begun.waited_for_mask) ++counters_.mask_waits;
  begun.waited_for_mask = false;
  begun.taken = Taken::nothing;
  const std::span<const std::uint16_t> writes = table.writes(instruction);
  const LaneMask lanes(row.warp->context.active);
  const bool stores = is_store(instruction.kind);
  if (begun.needs > 0) {
    if (board_.free() >= begun.needs) {
      begun.taken = Taken::entries;
      counters_.entries_written += begun.needs;
      append_all(warp, writes, lanes, now);
      if (stores) board_.begin_store(warp, begun.first);
      return;
    }
    ++counters_.alone;
  }
  const bool writes_alone = !writes.empty();
  if (!writes_alone && !stores) return;
  begun.taken = Taken::lone;
  board_.begin_lone(warp, stores, writes_alone);
  if (check_ && writes_alone) alone_[warp] = {.words = writes, .lanes = lanes, .pending = true};
}

void CommitScoreboard::issue(WarpSlot warp, const IssueTable&, const IssueInfo& instruction,
                             const IssuedTimes& times) {
  const Begun& begun = begun_[warp];
  const bool is_known = times.done != Cycle::never();
  switch (begun.taken) {
    case Taken::nothing:
      return;
    case Taken::entries: {
      const bool comes_late = instruction.kind == InstructionKind::atomic && !is_known;
      board_.describe(warp, begun.first, instruction.unit, times.cause, times.access, comes_late);
      if (check_ && !comes_late) hold(warp, begun.first);
      if (is_known) board_.resolve(warp, begun.first, times.done, times.computed);
      return;
    }
    case Taken::lone:
      board_.describe_lone(warp, times.cause, times.access);
      if (!is_known) return;
      board_.resolve_lone(warp, times.done);
      if (check_ && !alone_[warp].pending) check_->commit_last(warp, {}, {});
      return;
  }
}

void CommitScoreboard::complete(WarpSlot warp, const IssueTable&, const IssueInfo&,
                                std::uint32_t access, Cycle done) {
  const CommitBoard::List& list = board_[warp];
  if (list.lone_pending && list.lone_access == access) {
    board_.resolve_lone(warp, done);
    if (check_ && !alone_[warp].pending) check_->commit_last(warp, {}, {});
    return;
  }
  const std::uint8_t first = board_.find_access(warp, access);
  assert(first != CommitBoard::kNone);
  if (check_ && board_.writer(first).comes_late) hold(warp, first);
  board_.resolve(warp, first, done, done);
}

void CommitScoreboard::hold(WarpSlot warp, std::uint8_t first) {
  CommitBoard::for_each_entry(board_.writer(first).entries, [&](std::uint8_t number) {
    check_->hold(warp, number, board_.entry(number));
  });
}

void CommitScoreboard::declare(CounterList& counters) {
  counters.add("commits", board_.commits(), "instructions",
               "that wrote registers or memory, in order");
  counters_.declare(counters);
  if (check_) check_->declare(counters);
}

namespace {

const DependenceRegistry::Entry entry{
    "commit-scoreboard",
    "few entries, which all warps share, keep results until they commit in order",
    [](const CommitScoreboardParameters& own, const DependencePlace& place) {
      return std::make_unique<CommitScoreboard>(own, place.bypass);
    }};

}  // namespace
}  // namespace heddle::sm
