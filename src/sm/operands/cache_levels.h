#pragma once

// What a register cache has above the main register file: the cache, and perhaps a file of last
// results above that. What is in them of each row of threads, and what moves between the levels
// (Gebhart's dissertation on on-chip storage for throughput processors, sections 5.2 and 6.5.2).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sm/operands/cached_registers.h"
#include "sm/operands/hierarchy_counters.h"
#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/operands.h"
#include "sm/operands/rows_of_pass.h"
#include "sm/operands/value_check.h"

namespace heddle::sm {

struct CacheCounters {
  HierarchyCounters registers;
  std::uint64_t written_back = 0;
  std::uint64_t last_written_back = 0;
  std::uint64_t fallen = 0;
  std::uint64_t split_reads = 0;
  std::uint64_t tag_checks = 0;

  void declare(CounterList& counters);
};

class CacheLevels {
 public:
  /// In which levels registers that some lanes read were found.
  struct Found {
    bool last = false, cache = false, main = false;

    void add(const Found& other) {
      last |= other.last;
      cache |= other.cache;
      main |= other.main;
    }
    std::uint64_t levels() const {
      return std::uint64_t{last} + std::uint64_t{cache} + std::uint64_t{main};
    }
  };

  /// What is written back goes to `main`.
  CacheLevels(const HierarchyParameters& own, Operands& main, CacheCounters& counters);

  bool has_last() const { return has_last_; }
  Found read(const RowLanes& row, std::uint16_t word, bool in_shared_unit, Cycle now);
  void fill(std::span<const RowLanes> rows, std::uint16_t word, bool in_shared_unit, Cycle now);
  void put_result(const IssueInfo& info, const RowLanes& row, std::uint16_t word, bool to_last,
                  Cycle now);
  /// A result that goes to the main file alone.
  void put_in_main(const IssueInfo& info, const RowLanes& row, std::uint16_t word);
  /// These lanes' values are not read any more.
  void mark_dead(WarpSlot home, std::uint16_t word, LaneMask lanes) {
    caches_[home].mark_dead(word, lanes);
    if (has_last_) lasts_[home].mark_dead(word, lanes);
  }
  /// Writes back what the main file lacks, and is empty then.
  void flush(WarpSlot home, Cycle now);
  /// The row's threads have ended.
  void forget(WarpSlot home);

  /// What checks have found, where values are checked.
  void declare_check(CounterList& counters) {
    if (check_) check_->declare(counters);
  }

 private:
  void put_in_cache(WarpSlot home, std::uint16_t word, LaneMask lanes, bool dirty, Cycle now);
  void make_fall(WarpSlot home, const CachedRegisters::Entry& entry, Cycle now);
  void write_back(WarpSlot home, std::uint32_t place, const CachedRegisters::Entry& entry,
                  Cycle now);
  void clear(WarpSlot home) {
    caches_[home].clear();
    if (has_last_) lasts_[home].clear();
  }

  Operands& main_;
  CacheCounters& counters_;
  bool has_last_;
  std::uint32_t last_place_;             ///< Its number, for checks.
  std::vector<CachedRegisters> caches_;  ///< By row.
  std::vector<CachedRegisters> lasts_;   ///< Likewise; none where there are none.
  std::optional<ValueCheck> check_;
};

}  // namespace heddle::sm
