#pragma once

// Counters summed over launches, and the figures derived from them: IPC, occupancy, hit rates.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpu/kernel_run.h"
#include "gpu/machine.h"

namespace heddle {

/// A sample of the counters of one launch.
struct LaunchSample {
  std::size_t launch = 0;  ///< The launch's number, in the order of all launches.
  const gpu::Sample* sample = nullptr;
};

/// Counts summed over several launches, of one kernel or of all kernels.
struct Timing {
  std::string kernel;  ///< Empty: the launches are of several kernels.
  std::uint64_t launches = 0;
  /// The sum of the launches' durations. For programs side by side: the cycles that they share.
  std::uint64_t cycles = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  /// The launch of which the fewest blocks fit on a multiprocessor; the first among equals.
  const gpu::KernelRun* launch_with_fewest_blocks = nullptr;
  std::vector<std::uint64_t> counters{};
  gpu::ComponentCounters by_component{};        ///< Empty unless they were requested.
  gpu::CountersByComponent counters_by_kind{};  ///< As in gpu::KernelRun.
  std::vector<LaunchSample> samples{};          ///< In the order of the launches.

  /// Adds a launch; `launch` is its number among all launches. `run` must outlive this object.
  void add(const gpu::KernelRun& run, std::size_t launch);
};

/// One Timing for each kernel, in the order of the kernels' first launches. `runs` must outlive the
/// returned value.
std::vector<Timing> timing_by_kernel(const std::vector<gpu::KernelRun>& runs);
/// Null if the kernel was not launched.
const Timing* find_timing(const std::vector<Timing>& timings, std::string_view kernel);
Timing total_timing(const std::vector<gpu::KernelRun>& runs);
/// The part of `timing` that was counted on the multiprocessors of one kind: those of one group, or
/// those of no group. `kind` is an index in Machine::kinds(), which must have several elements.
Timing timing_of_kind(const Timing& timing, std::size_t kind,
                      const std::vector<gpu::CounterName>& counters);

/// Derives figures from the counters of one machine. A figure is empty if the machine lacks the
/// counters for it (no L2, for example), or if the divisor is zero.
class Figures {
 public:
  Figures(const gpu::Machine& machine, const std::vector<gpu::CounterName>& counters);

  double ipc(const Timing& timing) const;       ///< Thread instructions per cycle.
  double warp_ipc(const Timing& timing) const;  ///< Warp instructions per cycle.
  /// Warp instructions that the chip can issue per cycle.
  double peak_warp_ipc() const;
  double seconds(const Timing& timing) const;  ///< Simulated time, at the core clock.

  /// Averages over the cycles in which a multiprocessor has a block.
  struct MeanOccupancy {
    double warps_per_sm = 0;
    double active_sm_share = 0;  ///< Cycles with a block / all cycles of the multiprocessors.
    // Empty if multiprocessors have different capacities:
    std::optional<double> warp_share{};      ///< Resident warps / capacity for warps.
    std::optional<double> register_share{};  ///< Allocated registers / all registers.
  };
  std::optional<MeanOccupancy> mean_occupancy(const Timing& timing) const;

  /// Temporal underutilisation: the share of the warps' resources that stays allocated from the end
  /// of a warp to the end of its block. It is the mean over blocks.
  std::optional<double> underutilisation(const Timing& timing) const;

  struct HitRate {
    std::string_view cache;  ///< "L1"
    std::string_view key;    ///< "l1": the prefix of its counters.
    double rate = 0;
  };
  /// The hit rate of each cache that was accessed: hits divided by accesses. An access to a line
  /// that is being fetched is no hit.
  std::vector<HitRate> hit_rates(const Timing& timing) const;

  struct Bandwidth {
    double bytes_per_second = 0;
    double share = 0;  ///< Bandwidth / peak bandwidth.
  };
  std::optional<Bandwidth> dram_bandwidth(const Timing& timing) const;

  /// The value of a counter; empty if the machine does not have it.
  std::optional<std::uint64_t> counter(const Timing& timing, const std::string& name) const;

 private:
  const gpu::Machine* machine_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace heddle
