// A cache of registers above the main register file, and perhaps an entry for a thread's last
// result above that, both managed by hardware: Gebhart's dissertation on on-chip storage for
// throughput processors, chapter 5 and section 6.5.2.
//
// What is where is decided as instructions issue, in their order, as if results came at once.

#include <optional>
#include <vector>

#include "sm/operands/cached_registers.h"
#include "sm/operands/hierarchy_counters.h"
#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/layered.h"
#include "sm/operands/rows_of_pass.h"
#include "sm/operands/value_check.h"

namespace heddle::sm {
namespace {

struct CacheCounters {
  HierarchyCounters registers;
  std::uint64_t written_back = 0;
  std::uint64_t last_written_back = 0;
  std::uint64_t fallen = 0;
  std::uint64_t tag_checks = 0;

  void declare(CounterList& counters) {
    registers.declare(counters);
    counters.add("written_back", written_back, "registers",
                 "read from the cache, and written to the main file");
    counters.add("last_written_back", last_written_back, "registers",
                 "read from the last-result file, and written to the main file");
    counters.add("fallen", fallen, "registers",
                 "read from the last-result file, and written to the cache");
    counters.add("tag_checks", tag_checks, "instructions", "that looked for their registers");
  }
};

class RegisterCache final : public LayeredOperands {
 public:
  RegisterCache(const HierarchyParameters& own, std::unique_ptr<Operands> main);

  Cycle read_sources(const IssuedPass& issued, Cycle now) override;
  Cycle write_results(const IssuedInstruction& issued, Cycle done) override;
  bool follows_control() const override { return true; }
  void passed_by(const IssuedInstruction& issued, std::span<const Row> rows, Cycle now) override;
  /// The stage that checks the tags (section 5.2.2).
  Cycles branch_cycles() const override { return Cycles(1); }

  void suspended(WarpSlot warp, Cycle now) override {
    if (!is_of_active_) return;
    ++counters_.registers.suspensions;
    for_each_warp(homes_[warp], [&](WarpSlot home) { flush(home, now); });
  }
  void ended(WarpSlot warp, Cycle) override {
    for_each_warp(homes_.take(warp), [this](WarpSlot home) { forget(home); });
  }
  void declare(CounterList& counters) override {
    LayeredOperands::declare(counters);
    counters_.declare(counters);
    if (check_) check_->declare(counters);
  }

 private:
  /// In which levels registers that some lanes read were found.
  struct Found {
    bool last = false, cache = false, main = false;
  };

  Found find(const RowLanes& row, std::uint16_t word, bool in_shared_unit, Cycle now);
  void fill(std::span<const RowLanes> rows, std::uint16_t word, Cycle now);
  void put_result(const IssueInfo& info, const RowLanes& row, std::uint16_t word, bool to_last,
                  Cycle now);
  void put_in_cache(WarpSlot home, std::uint16_t word, LaneMask lanes, bool dirty, Cycle now);
  void make_fall(WarpSlot home, const CachedRegisters::Entry& entry, Cycle now);
  void write_back(WarpSlot home, std::uint32_t place, const CachedRegisters::Entry& entry,
                  Cycle now);
  void drop(WarpSlot home, std::uint16_t word, LaneMask lanes) {
    caches_[home].drop(word, lanes);
    if (has_last_) lasts_[home].drop(word, lanes);
  }
  void mark_dead(WarpSlot home, std::uint16_t word, LaneMask lanes) {
    caches_[home].mark_dead(word, lanes);
    if (has_last_) lasts_[home].mark_dead(word, lanes);
  }
  void note_in_main(const IssueInfo& info, const RowLanes& row, std::uint16_t word) {
    drop(row.home, word, row.active);
    if (!check_) return;
    check_->written(info, row, word);
    check_->copy_to_main(row.home, word, row.active);
  }
  void flush(WarpSlot home, Cycle now);
  void forget(WarpSlot home) {
    caches_[home].clear();
    if (has_last_) lasts_[home].clear();
    if (check_) check_->ended(home);
  }
  bool goes_round(const IssueInfo& info) const { return info.long_latency && long_go_round_; }
  /// A unit that cannot read the last-result file does not write it either, and the compiler keeps
  /// what such a unit is to read out of it (section 6.5.2).
  bool goes_to_last(const IssueInfo& info, const RegisterUse& use) const {
    return has_last_ && !is_shared(info.unit) && use.place.level != code::RegisterLevel::operand;
  }

  bool is_of_active_;
  bool reads_allocate_;
  bool liveness_;
  bool long_go_round_;
  bool flush_at_jumps_back_;
  bool has_last_;
  std::uint32_t last_place_;             ///< Its number, for checks.
  std::vector<CachedRegisters> caches_;  ///< By row.
  std::vector<CachedRegisters> lasts_;   ///< Likewise; none where there are none.
  RowsOfPass rows_;
  RowsOfSlots homes_;
  CacheCounters counters_;
  std::optional<ValueCheck> check_;
};

RegisterCache::RegisterCache(const HierarchyParameters& own, std::unique_ptr<Operands> main)
    : LayeredOperands(std::move(main)),
      is_of_active_(own.active_only),
      reads_allocate_(own.allocate == "results-and-reads"),
      liveness_(own.liveness),
      long_go_round_(own.long_results_go_round),
      flush_at_jumps_back_(own.flush_at_backward_branches),
      has_last_(own.last_results != 0),
      last_place_(own.entries) {
  const Replacement replacement = own.replacement == "lru" ? Replacement::lru : Replacement::fifo;
  caches_.assign(kMostWarps, CachedRegisters(own.entries, replacement));
  if (has_last_) lasts_.assign(kMostWarps, CachedRegisters(1, Replacement::fifo));
  if (own.checked) check_.emplace(own.entries + 1);
}

Cycle RegisterCache::read_sources(const IssuedPass& issued, Cycle now) {
  const std::span<const RowLanes> rows = rows_.of(issued);
  const IssueInfo& info = issued.info;
  const bool in_shared_unit = is_shared(info.unit);
  ++counters_.tag_checks;
  for (const RowLanes& row : rows) homes_.note(issued.warp, row.home);

  const std::span<const std::uint16_t> reads = issued.table.reads(info);
  const std::span<const RegisterUse> read_uses = issued.table.read_uses(info);
  SourcesInMain in_main;
  bool others = false;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::uint16_t word = reads[i];
    if (word >= kFirstPredicate) continue;
    Found found;
    for (const RowLanes& row : rows) {
      const Found here = find(row, word, in_shared_unit, now);
      found.last |= here.last;
      found.cache |= here.cache;
      found.main |= here.main;
    }
    if (found.last) ++counters_.registers.last_reads;
    if (found.cache) {
      ++(in_shared_unit ? counters_.registers.upper_reads_shared
                        : counters_.registers.upper_reads_private);
    }
    if (found.main) in_main.add(word, read_uses[i].operand);
    others |= found.last || found.cache;
  }
  counters_.registers.count_from_main(in_main.registers.size(), in_main.operands.count);
  const Cycle read = read_main(issued.warp, in_main.registers, others, now);

  if (reads_allocate_) {
    for (const std::uint16_t word : in_main.registers) {
      ++(in_shared_unit ? counters_.registers.fills_shared : counters_.registers.fills_private);
      fill(rows, word, now);
    }
  }
  for (std::size_t i = 0; liveness_ && i < reads.size(); ++i) {
    if (!read_uses[i].last) continue;
    for (const RowLanes& row : rows) mark_dead(row.home, reads[i], row.path);
  }
  const std::span<const std::uint16_t> writes = issued.table.writes(info);
  const std::span<const RegisterUse> write_uses = issued.table.write_uses(info);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i] >= kFirstPredicate) continue;
    for (const RowLanes& row : rows) {
      if (goes_round(info)) {
        note_in_main(info, row, writes[i]);
      } else {
        put_result(info, row, writes[i], goes_to_last(info, write_uses[i]), now);
      }
    }
  }
  return read;
}

/// A guard that lets no lane execute an instruction has its operands read all the same.
RegisterCache::Found RegisterCache::find(const RowLanes& row, std::uint16_t word,
                                         bool in_shared_unit, Cycle now) {
  const LaneMask wanted = row.active.empty() ? row.path : row.active;
  CachedRegisters& cache = caches_[row.home];
  LaneMask in_last;
  if (has_last_) {
    CachedRegisters& last = lasts_[row.home];
    in_last = last.lanes_of(word) & wanted;
    if (in_shared_unit && !in_last.empty()) {
      last.for_each([&](const CachedRegisters::Entry& entry) { make_fall(row.home, entry, now); });
      last.clear();
      in_last = {};
    }
  }
  const LaneMask in_cache = cache.lanes_of(word) & wanted.without(in_last);
  const LaneMask in_main = wanted.without(in_last).without(in_cache);
  if (!in_cache.empty()) cache.touch(word);
  if (check_) {
    if (!in_last.empty()) {
      check_->read_place(row.home, last_place_, word, in_last & row.active);
    }
    if (!in_cache.empty()) {
      check_->read_place(row.home, cache.entry_of(word), word, in_cache & row.active);
    }
    check_->read_main(row.home, word, in_main & row.active);
  }
  return {.last = !in_last.empty(), .cache = !in_cache.empty(), .main = !in_main.empty()};
}

/// Section 5.2.3: a source that came from the main file is kept, too.
void RegisterCache::fill(std::span<const RowLanes> rows, std::uint16_t word, Cycle now) {
  for (const RowLanes& row : rows) {
    LaneMask lanes = row.active.without(caches_[row.home].lanes_of(word));
    if (has_last_) lanes = lanes.without(lasts_[row.home].lanes_of(word));
    if (lanes.empty()) continue;
    put_in_cache(row.home, word, lanes, false, now);
    if (check_) check_->main_to_place(row.home, caches_[row.home].entry_of(word), word, lanes);
  }
}

void RegisterCache::put_result(const IssueInfo& info, const RowLanes& row, std::uint16_t word,
                               bool to_last, Cycle now) {
  if (check_) check_->written(info, row, word);
  if (row.active.empty()) return;
  if (!to_last) {
    if (has_last_) lasts_[row.home].drop(word, row.active);
    put_in_cache(row.home, word, row.active, true, now);
    if (check_) {
      check_->copy_to_place(row.home, caches_[row.home].entry_of(word), word, row.active);
    }
    return;
  }
  caches_[row.home].drop(word, row.active);
  CachedRegisters& last = lasts_[row.home];
  if (const auto evicted = last.make_room(word)) make_fall(row.home, *evicted, now);
  last.put(word, row.active, true);
  if (check_) check_->copy_to_place(row.home, last_place_, word, row.active);
}

void RegisterCache::put_in_cache(WarpSlot home, std::uint16_t word, LaneMask lanes, bool dirty,
                                 Cycle now) {
  CachedRegisters& cache = caches_[home];
  if (const auto evicted = cache.make_room(word)) {
    // The place is the new register's now.
    write_back(home, cache.entry_of(word), *evicted, now);
  }
  cache.put(word, lanes, dirty);
}

void RegisterCache::make_fall(WarpSlot home, const CachedRegisters::Entry& entry, Cycle now) {
  // What is dead goes nowhere.
  if (entry.dirty.empty()) return;
  ++counters_.fallen;
  put_in_cache(home, entry.word, entry.dirty, true, now);
  if (check_) {
    check_->place_to_place(home, last_place_, caches_[home].entry_of(entry.word), entry.dirty);
  }
}

void RegisterCache::write_back(WarpSlot home, std::uint32_t place,
                               const CachedRegisters::Entry& entry, Cycle now) {
  if (entry.dirty.empty()) return;
  ++(place == last_place_ ? counters_.last_written_back : counters_.written_back);
  write(home, std::span(&entry.word, 1), now);
  if (check_) check_->place_to_main(home, place, entry.word, entry.dirty);
}

void RegisterCache::flush(WarpSlot home, Cycle now) {
  const CachedRegisters& cache = caches_[home];
  cache.for_each([&](const CachedRegisters::Entry& entry) {
    write_back(home, cache.entry_of(entry.word), entry, now);
  });
  caches_[home].clear();
  if (has_last_) {
    lasts_[home].for_each(
        [&](const CachedRegisters::Entry& entry) { write_back(home, last_place_, entry, now); });
    lasts_[home].clear();
  }
  if (check_) check_->lose_places(home, LaneMask::all());
}

Cycle RegisterCache::write_results(const IssuedInstruction& issued, Cycle done) {
  const IssueInfo& info = issued.info;
  const std::span<const std::uint16_t> writes = issued.table.writes(info);
  if (goes_round(info)) return write(issued.warp, writes, done);
  const std::span<const RegisterUse> uses = issued.table.write_uses(info);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i] >= kFirstPredicate) continue;
    if (goes_to_last(info, uses[i])) {
      ++counters_.registers.last_writes;
    } else {
      ++(is_shared(info.unit) ? counters_.registers.upper_writes_shared
                              : counters_.registers.upper_writes_private);
    }
  }
  return done;
}

void RegisterCache::passed_by(const IssuedInstruction& issued, std::span<const Row> rows,
                              Cycle now) {
  for (const Row& row : rows) {
    const RowLanes lanes = RowsOfPass::lanes_of(row, row.path);
    for (const std::uint16_t word : issued.table.writes(issued.info)) {
      if (word < kFirstPredicate) note_in_main(issued.info, lanes, word);
    }
    if (flush_at_jumps_back_ && issued.info.jumps_back) flush(row.home, now);
  }
}

const OperandsRegistry::Entry entry{
    "register-cache", "a cache of registers, managed by hardware, above a main register file",
    [](const HierarchyParameters& own, const OperandDescription& description) {
      return std::make_unique<RegisterCache>(
          own, OperandsRegistry::make(own.main, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
