#include "sm/operands/cache_levels.h"

namespace heddle::sm {

void CacheCounters::declare(CounterList& counters) {
  registers.declare(counters);
  counters.add("written_back", written_back, "registers",
               "read from the cache, and written to the main file");
  counters.add("last_written_back", last_written_back, "registers",
               "read from the last-result file, and written to the main file");
  counters.add("fallen", fallen, "registers",
               "read from the last-result file, and written to the cache");
  counters.add(
      "split_reads", split_reads, "registers",
      "read from a second level or a third, as some lanes have them there: counted in all");
  counters.add("tag_checks", tag_checks, "instructions", "that looked for their registers");
}

CacheLevels::CacheLevels(const HierarchyParameters& own, Operands& main, CacheCounters& counters)
    : main_(main), counters_(counters), has_last_(own.last_results != 0), last_place_(own.entries) {
  const Replacement replacement = own.replacement == "lru" ? Replacement::lru : Replacement::fifo;
  caches_.assign(kMostWarps, CachedRegisters(own.entries, replacement));
  if (has_last_) lasts_.assign(kMostWarps, CachedRegisters(1, Replacement::fifo));
  if (own.checked) check_.emplace(own.entries + 1);
}

/// A guard that lets no lane execute an instruction has its operands read all the same.
CacheLevels::Found CacheLevels::read(const RowLanes& row, std::uint16_t word, bool in_shared_unit,
                                     Cycle now) {
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
void CacheLevels::fill(std::span<const RowLanes> rows, std::uint16_t word, bool in_shared_unit,
                       Cycle now) {
  bool is_kept = false;
  for (const RowLanes& row : rows) {
    LaneMask lanes = row.active.without(caches_[row.home].lanes_of(word));
    if (has_last_) lanes = lanes.without(lasts_[row.home].lanes_of(word));
    if (lanes.empty()) continue;
    is_kept = true;
    put_in_cache(row.home, word, lanes, false, now);
    if (check_) check_->main_to_place(row.home, caches_[row.home].entry_of(word), word, lanes);
  }
  if (!is_kept) return;
  ++(in_shared_unit ? counters_.registers.fills_shared : counters_.registers.fills_private);
}

void CacheLevels::put_result(const IssueInfo& info, const RowLanes& row, std::uint16_t word,
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

void CacheLevels::put_in_main(const IssueInfo& info, const RowLanes& row, std::uint16_t word) {
  caches_[row.home].drop(word, row.active);
  if (has_last_) lasts_[row.home].drop(word, row.active);
  if (!check_) return;
  check_->written(info, row, word);
  check_->copy_to_main(row.home, word, row.active);
}

void CacheLevels::put_in_cache(WarpSlot home, std::uint16_t word, LaneMask lanes, bool dirty,
                               Cycle now) {
  CachedRegisters& cache = caches_[home];
  if (const auto evicted = cache.make_room(word)) {
    // The place is the new register's now.
    write_back(home, cache.entry_of(word), *evicted, now);
  }
  cache.put(word, lanes, dirty);
}

void CacheLevels::make_fall(WarpSlot home, const CachedRegisters::Entry& entry, Cycle now) {
  // What is dead goes nowhere.
  if (entry.dirty.empty()) return;
  ++counters_.fallen;
  put_in_cache(home, entry.word, entry.dirty, true, now);
  if (check_) {
    check_->place_to_place(home, last_place_, caches_[home].entry_of(entry.word), entry.dirty);
  }
}

void CacheLevels::write_back(WarpSlot home, std::uint32_t place,
                             const CachedRegisters::Entry& entry, Cycle now) {
  if (entry.dirty.empty()) return;
  ++(place == last_place_ ? counters_.last_written_back : counters_.written_back);
  main_.write(home, std::span(&entry.word, 1), now);
  if (check_) check_->place_to_main(home, place, entry.word, entry.dirty);
}

void CacheLevels::flush(WarpSlot home, Cycle now) {
  const CachedRegisters& cache = caches_[home];
  cache.for_each([&](const CachedRegisters::Entry& entry) {
    write_back(home, cache.entry_of(entry.word), entry, now);
  });
  if (has_last_) {
    lasts_[home].for_each(
        [&](const CachedRegisters::Entry& entry) { write_back(home, last_place_, entry, now); });
  }
  clear(home);
  if (check_) check_->lose_places(home, LaneMask::all());
}

void CacheLevels::forget(WarpSlot home) {
  clear(home);
  if (check_) check_->ended(home);
}

}  // namespace heddle::sm
