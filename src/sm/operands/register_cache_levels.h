#pragma once

// The levels of registers above the main register file (MRF) in policy 'register-cache': the
// register cache (RFC) and, optionally, a last-result file (LRF) above it. The class tracks which
// registers of each static warp are in which level, and moves values between levels (Gebhart's
// dissertation on on-chip storage for throughput processors, sections 5.2 and 6.5.2).

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

/// Counters. Their unit is a register of a warp, except for `tag_checks`.
struct RegisterCacheCounters {
  HierarchyCounters registers;
  std::uint64_t written_back = 0;       ///< From the cache to the main file.
  std::uint64_t last_written_back = 0;  ///< From the last-result file to the main file.
  std::uint64_t demoted = 0;            ///< Moved from the last-result file to the cache.
  std::uint64_t split_reads = 0;        ///< Reads of a second or third level for other lanes.
  std::uint64_t tag_checks = 0;         ///< Passes of instructions that checked the tags.

  void declare(CounterList& counters);
};

class RegisterCacheLevels {
 public:
  /// The levels in which lanes have found the register that they read.
  struct Found {
    bool in_last_results = false;
    bool in_cache = false;
    bool in_main = false;

    void add(const Found& other) {
      in_last_results |= other.in_last_results;
      in_cache |= other.in_cache;
      in_main |= other.in_main;
    }
    /// The number of levels.
    std::uint64_t levels() const {
      return std::uint64_t{in_last_results} + std::uint64_t{in_cache} + std::uint64_t{in_main};
    }
  };

  /// `main`: the main register file, to which values are written back.
  RegisterCacheLevels(const HierarchyParameters& parameters, Operands& main,
                      RegisterCacheCounters& counters);

  bool has_last_results() const { return has_last_results_; }
  /// Reads a register for one static warp. `in_shared_unit`, here and in fill(): whether the unit
  /// that executes the instruction is one that the lanes of a warp share (is_shared()). Such a unit
  /// cannot read the last-result file.
  Found read(const StaticWarpLanes& static_warp, std::uint16_t reg, bool in_shared_unit, Cycle now);
  /// Copies a register, which has been read from the main file, into the cache.
  void fill(std::span<const StaticWarpLanes> static_warps, std::uint16_t reg, bool in_shared_unit,
            Cycle now);
  /// Writes a result to the last-result file if `to_last_results`, otherwise to the cache.
  void put_result(const IssueInfo& info, const StaticWarpLanes& static_warp, std::uint16_t reg,
                  bool to_last_results, Cycle now);
  /// Writes a result to the main file only.
  void put_in_main(const IssueInfo& info, const StaticWarpLanes& static_warp, std::uint16_t reg);
  /// Notes that the values of these lanes will not be read again.
  void mark_dead(HardwareWarpId hardware_warp, std::uint16_t reg, LaneMask lanes) {
    caches_[hardware_warp].mark_dead(reg, lanes);
    if (has_last_results_) last_results_[hardware_warp].mark_dead(reg, lanes);
  }
  /// Writes all dirty values of the static warp back, and empties its levels.
  void flush(HardwareWarpId hardware_warp, Cycle now);
  /// Drops the values of the static warp, whose threads have ended.
  void forget(HardwareWarpId hardware_warp);

  /// Declares the counters of the value check, if values are checked.
  void declare_check(CounterList& counters) {
    if (check_) check_->declare(counters);
  }

 private:
  void put_in_cache(HardwareWarpId hardware_warp, std::uint16_t reg, LaneMask lanes, bool dirty,
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
  std::uint32_t last_results_place_;          ///< The place of the last result (see ValueCheck).
  std::vector<RegisterCacheEntries> caches_;  ///< By hardware warp.
  /// By hardware warp: the last-result file. Empty if there are none.
  std::vector<RegisterCacheEntries> last_results_;
  std::optional<ValueCheck> check_;  ///< Empty unless values are checked.
};

}  // namespace heddle::sm
