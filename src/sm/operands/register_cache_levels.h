#pragma once

// The levels of a register cache (RFC) above the main register file (MRF): the cache and,
// optionally, a last-result file (LRF) above it. The class tracks which registers of each static
// warp are in which level, and moves values between levels (Gebhart's dissertation on on-chip
// storage for throughput processors, sections 5.2 and 6.5.2).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sm/operands/hierarchy_counters.h"
#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/operands.h"
#include "sm/operands/register_cache_entries.h"
#include "sm/operands/static_warps_of_pass.h"
#include "sm/operands/value_check.h"

namespace heddle::sm {

/// All but `tag_checks` count registers of a warp.
struct RegisterCacheCounters {
  HierarchyCounters registers;
  std::uint64_t written_back = 0;       ///< From the cache to the main file.
  std::uint64_t last_written_back = 0;  ///< From the last-result file to the main file.
  std::uint64_t demoted = 0;            ///< Moved from the last-result file to the cache.
  std::uint64_t split_reads = 0;        ///< Additional levels read, if lanes differ in theirs.
  std::uint64_t tag_checks = 0;

  void declare(CounterList& counters);
};

class RegisterCacheLevels {
 public:
  /// The levels in which the lanes found the register that they read.
  struct Found {
    bool last = false, cache = false, main = false;  ///< `last`: in the last-result file.

    void add(const Found& other) {
      last |= other.last;
      cache |= other.cache;
      main |= other.main;
    }
    /// The number of levels.
    std::uint64_t levels() const {
      return std::uint64_t{last} + std::uint64_t{cache} + std::uint64_t{main};
    }
  };

  /// `main`: the main register file, to which values are written back.
  RegisterCacheLevels(const HierarchyParameters& own, Operands& main,
                      RegisterCacheCounters& counters);

  bool has_last_results() const { return has_last_results_; }
  /// Reads a register for one static warp. `in_shared_unit`, here and in fill(): the instruction is
  /// executed by an execution unit that lanes share (is_shared), which cannot read the last-result
  /// file. Shared memory is not meant.
  Found read(const StaticWarpLanes& static_warp, std::uint16_t word, bool in_shared_unit,
             Cycle now);
  /// Copies a register that was read from the main file into the cache.
  void fill(std::span<const StaticWarpLanes> static_warps, std::uint16_t word, bool in_shared_unit,
            Cycle now);
  /// Writes a result to the last-result file, if `to_last_results`, or else to the cache.
  void put_result(const IssueInfo& info, const StaticWarpLanes& static_warp, std::uint16_t word,
                  bool to_last_results, Cycle now);
  /// Puts a result into the main file only.
  void put_in_main(const IssueInfo& info, const StaticWarpLanes& static_warp, std::uint16_t word);
  /// Notes that these lanes' values will not be read again.
  void mark_dead(HardwareWarpId hardware_warp, std::uint16_t word, LaneMask lanes) {
    caches_[hardware_warp].mark_dead(word, lanes);
    if (has_last_results_) last_results_[hardware_warp].mark_dead(word, lanes);
  }
  /// Writes back all dirty values, and empties the levels.
  void flush(HardwareWarpId hardware_warp, Cycle now);
  /// Drops the static warp's values: its threads have ended.
  void forget(HardwareWarpId hardware_warp);

  /// Declares the counters of the value check, if values are checked.
  void declare_check(CounterList& counters) {
    if (check_) check_->declare(counters);
  }

 private:
  void put_in_cache(HardwareWarpId hardware_warp, std::uint16_t word, LaneMask lanes, bool dirty,
                    Cycle now);
  void move_down(HardwareWarpId hardware_warp, const RegisterCacheEntries::Entry& entry, Cycle now);
  void write_back(HardwareWarpId hardware_warp, std::uint32_t place,
                  const RegisterCacheEntries::Entry& entry, Cycle now);
  void clear(HardwareWarpId hardware_warp) {
    caches_[hardware_warp].clear();
    if (has_last_results_) last_results_[hardware_warp].clear();
  }

  Operands& main_;
  RegisterCacheCounters& counters_;
  bool has_last_results_;
  std::uint32_t last_results_place_;          ///< The last-result file's place number, for checks.
  std::vector<RegisterCacheEntries> caches_;  ///< By hardware warp.
  /// Last-result files by hardware warp; empty if the machine has none.
  std::vector<RegisterCacheEntries> last_results_;
  std::optional<ValueCheck> check_;
};

}  // namespace heddle::sm
