#pragma once

// What a chip counted, added up over launches, and the figures that people compare machines by.

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

/// What was noted of one of the launches.
struct LaunchSample {
  std::size_t launch = 0;  ///< By the order of all launches.
  const gpu::Sample* sample = nullptr;
};

/// Launches taken together.
struct Timing {
  std::string kernel;  ///< Empty: of several.
  std::uint64_t launches = 0;
  std::uint64_t cycles = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  /// The one of which the fewest blocks are resident at once; the first where several are.
  const gpu::KernelRun* tightest = nullptr;
  std::vector<std::uint64_t> counters{};
  gpu::EachCounted each_counted{};
  gpu::CountersByComponent counters_by_kind{};  ///< As gpu::KernelRun's.
  std::vector<LaunchSample> samples{};          ///< Launch after launch.

  /// `launch` is its place among all. The run must outlive this.
  void add(const gpu::KernelRun& run, std::size_t launch);
};

/// One for each kernel, in the order in which they were first launched. `runs` must outlive them.
std::vector<Timing> timing_by_kernel(const std::vector<gpu::KernelRun>& runs);
/// Null where it was not launched.
const Timing* find_timing(const std::vector<Timing>& timings, std::string_view kernel);
Timing timing_in_all(const std::vector<gpu::KernelRun>& runs);
/// What multiprocessors of a kind did of it, where there are several.
Timing timing_of_kind(const Timing& timing, std::size_t kind,
                      const std::vector<gpu::CounterName>& counters);

/// Reads figures off what was counted on one machine. A figure is empty where the machine does not
/// count what it is made of (it has no L2, say), or where there was nothing to divide by.
class Figures {
 public:
  Figures(const gpu::Machine& machine, const std::vector<gpu::CounterName>& counters);

  double ipc(const Timing& timing) const;       ///< Thread instructions a cycle.
  double warp_ipc(const Timing& timing) const;  ///< Warp instructions a cycle.
  /// Warp instructions that the chip can issue in a cycle.
  double peak_warp_ipc() const;
  double seconds(const Timing& timing) const;  ///< Simulated.

  struct Residents {
    double warps = 0;   ///< On a multiprocessor with any block, on average.
    double active = 0;  ///< Share of the multiprocessors' cycles with a resident block.
    // Where multiprocessors do not differ in what they have:
    std::optional<double> share{};      ///< Of the warps that it has room for.
    std::optional<double> registers{};  ///< Share of the registers that is given to residents.
  };
  std::optional<Residents> residents(const Timing& timing) const;

  /// Of what warps of a block held, the share that is wasted until the block's end: mean over
  /// blocks.
  std::optional<double> underutilisation(const Timing& timing) const;

  struct HitRate {
    std::string_view cache;  ///< "L1"
    std::string_view key;    ///< "l1": the counters' part.
    double rate = 0;
  };
  /// Of the caches that were accessed. An access to a line that is on its way is no hit.
  std::vector<HitRate> hit_rates(const Timing& timing) const;

  struct Bandwidth {
    double bytes_per_second = 0;
    double share = 0;  ///< Of the peak.
  };
  std::optional<Bandwidth> dram(const Timing& timing) const;

  std::optional<std::uint64_t> counter(const Timing& timing, const std::string& name) const;

 private:
  const gpu::Machine* machine_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace heddle
