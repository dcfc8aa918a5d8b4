#include "sm/operands/register_cache_levels.h"

namespace heddle::sm {

void RegisterCacheCounters::declare(CounterList& counters) {
  registers.declare(counters);
  counters.add("written_back", written_back, "registers",
               "written back from the cache to the main file");
  counters.add("last_written_back", last_written_back, "registers",
               "written back from the last-result file to the main file");
  counters.add("demoted", demoted, "registers", "moved from the last-result file to the cache");
  counters.add(
      "split_reads", split_reads, "registers",
      "read from a second or third level, because lanes differ in where they have the value; each "
      "level counts the read");
  counters.add("tag_checks", tag_checks, "instructions", "that checked the cache's tags");
}

RegisterCacheLevels::RegisterCacheLevels(const HierarchyParameters& parameters, Operands& main,
                                         RegisterCacheCounters& counters)
    : main_(main),
      counters_(counters),
      has_last_results_(parameters.last_results != 0),
      last_results_place_(parameters.entries) {
  const EntryReplacement replacement = entry_replacement_of(parameters.replacement);
  caches_.assign(kMaxWarps, RegisterCacheEntries(parameters.entries, replacement));
  if (has_last_results_) {
    last_results_.assign(kMaxWarps, RegisterCacheEntries(1, EntryReplacement::fifo));
  }
  if (parameters.check_values) check_.emplace(parameters.entries + 1);
}

/// The register is read for the active lanes. If the guard disables all lanes, it is read for all
/// lanes on the path.
RegisterCacheLevels::Found RegisterCacheLevels::read(const StaticWarpLanes& static_warp,
                                                     std::uint16_t reg, bool in_shared_unit,
                                                     Cycle now) {
  const LaneMask wanted = static_warp.active.empty() ? static_warp.path : static_warp.active;
  RegisterCacheEntries& cache = caches_[static_warp.hardware_warp];
  LaneMask in_last;
  if (has_last_results_) {
    RegisterCacheEntries& last = last_results_[static_warp.hardware_warp];
    in_last = last.lanes_of(reg) & wanted;
    if (in_shared_unit && !in_last.empty()) {
      last.for_each([&](const RegisterCacheEntries::Entry& entry) {
        move_down(static_warp.hardware_warp, entry, now);
      });
      last.clear();
      in_last = {};
    }
  }
  const LaneMask in_cache = cache.lanes_of(reg) & wanted.without(in_last);
  const LaneMask in_main = wanted.without(in_last).without(in_cache);
  if (!in_cache.empty()) cache.touch(reg);
  if (check_) {
    if (!in_last.empty()) {
      check_->read_place(static_warp.hardware_warp, last_results_place_, reg,
                         in_last & static_warp.active);
    }
    if (!in_cache.empty()) {
      check_->read_place(static_warp.hardware_warp, cache.entry_of(reg), reg,
                         in_cache & static_warp.active);
    }
    check_->read_main(static_warp.hardware_warp, reg, in_main & static_warp.active);
  }
  return {.in_last_results = !in_last.empty(),
          .in_cache = !in_cache.empty(),
          .in_main = !in_main.empty()};
}

/// A source that has been read from the main file also gets an entry (section 5.2.3).
void RegisterCacheLevels::fill(std::span<const StaticWarpLanes> static_warps, std::uint16_t reg,
                               bool in_shared_unit, Cycle now) {
  bool is_kept = false;
  for (const StaticWarpLanes& static_warp : static_warps) {
    LaneMask lanes = static_warp.active.without(caches_[static_warp.hardware_warp].lanes_of(reg));
    if (has_last_results_) {
      lanes = lanes.without(last_results_[static_warp.hardware_warp].lanes_of(reg));
    }
    if (lanes.empty()) continue;
    is_kept = true;
    put_in_cache(static_warp.hardware_warp, reg, lanes, false, now);
    if (check_)
      check_->main_to_place(static_warp.hardware_warp,
                            caches_[static_warp.hardware_warp].entry_of(reg), reg, lanes);
  }
  if (!is_kept) return;
  ++(in_shared_unit ? counters_.registers.fills_shared : counters_.registers.fills_private);
}

void RegisterCacheLevels::put_result(const IssueInfo& info, const StaticWarpLanes& static_warp,
                                     std::uint16_t reg, bool to_last_results, Cycle now) {
  if (check_) check_->record_write(info, static_warp, reg);
  if (static_warp.active.empty()) return;
  if (!to_last_results) {
    if (has_last_results_) last_results_[static_warp.hardware_warp].drop(reg, static_warp.active);
    put_in_cache(static_warp.hardware_warp, reg, static_warp.active, true, now);
    if (check_) {
      check_->copy_to_place(static_warp.hardware_warp,
                            caches_[static_warp.hardware_warp].entry_of(reg), reg,
                            static_warp.active);
    }
    return;
  }
  caches_[static_warp.hardware_warp].drop(reg, static_warp.active);
  RegisterCacheEntries& last = last_results_[static_warp.hardware_warp];
  if (const auto evicted = last.allocate(reg)) move_down(static_warp.hardware_warp, *evicted, now);
  last.put(reg, static_warp.active, true);
  if (check_)
    check_->copy_to_place(static_warp.hardware_warp, last_results_place_, reg, static_warp.active);
}

void RegisterCacheLevels::put_in_main(const IssueInfo& info, const StaticWarpLanes& static_warp,
                                      std::uint16_t reg) {
  caches_[static_warp.hardware_warp].drop(reg, static_warp.active);
  if (has_last_results_) last_results_[static_warp.hardware_warp].drop(reg, static_warp.active);
  if (!check_) return;
  check_->record_write(info, static_warp, reg);
  check_->copy_to_main(static_warp.hardware_warp, reg, static_warp.active);
}

void RegisterCacheLevels::put_in_cache(HardwareWarpId hardware_warp, std::uint16_t reg,
                                       LaneMask lanes, bool dirty, Cycle now) {
  RegisterCacheEntries& cache = caches_[hardware_warp];
  if (const auto evicted = cache.allocate(reg)) {
    // At this point the value check still has the evicted value in the place of the new register.
    write_back(hardware_warp, cache.entry_of(reg), *evicted, now);
  }
  cache.put(reg, lanes, dirty);
}

/// Moves an entry of the last-result file to the cache.
void RegisterCacheLevels::move_down(HardwareWarpId hardware_warp,
                                    const RegisterCacheEntries::Entry& entry, Cycle now) {
  // A value that is not dirty is dropped: it will not be read again.
  if (entry.dirty.empty()) return;
  ++counters_.demoted;
  put_in_cache(hardware_warp, entry.reg, entry.dirty, true, now);
  if (check_) {
    check_->place_to_place(hardware_warp, last_results_place_,
                           caches_[hardware_warp].entry_of(entry.reg), entry.dirty);
  }
}

/// Writes an entry back to the main file, if it is dirty. `place`: its place, for the value check.
void RegisterCacheLevels::write_back(HardwareWarpId hardware_warp, std::uint32_t place,
                                     const RegisterCacheEntries::Entry& entry, Cycle now) {
  if (entry.dirty.empty()) return;
  ++(place == last_results_place_ ? counters_.last_written_back : counters_.written_back);
  main_.write(hardware_warp, std::span(&entry.reg, 1), now);
  if (check_) check_->place_to_main(hardware_warp, place, entry.reg, entry.dirty);
}

void RegisterCacheLevels::flush(HardwareWarpId hardware_warp, Cycle now) {
  const RegisterCacheEntries& cache = caches_[hardware_warp];
  cache.for_each([&](const RegisterCacheEntries::Entry& entry) {
    write_back(hardware_warp, cache.entry_of(entry.reg), entry, now);
  });
  if (has_last_results_) {
    last_results_[hardware_warp].for_each([&](const RegisterCacheEntries::Entry& entry) {
      write_back(hardware_warp, last_results_place_, entry, now);
    });
  }
  clear(hardware_warp);
  if (check_) check_->lose_places(hardware_warp, LaneMask::all());
}

void RegisterCacheLevels::forget(HardwareWarpId hardware_warp) {
  clear(hardware_warp);
  if (check_) check_->ended(hardware_warp);
}

}  // namespace heddle::sm
