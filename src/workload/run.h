#pragma once

// Runs a workload on the simulator once and returns its result.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/picture.h"
#include "device/device.h"
#include "workload/check_result.h"
#include "workload/instruction_mix.h"
#include "workload/simulated_device.h"
#include "workload/workload.h"

namespace heddle::workload {

/// The totals of all launches of a kernel.
struct KernelResult {
  std::string name;
  Dim3 block;
  std::uint32_t registers_per_thread = 0;  ///< As compiled by Heddle.
  std::optional<PaperResources> paper = std::nullopt;
  /// Including dynamic shared memory; the maximum of all launches.
  std::uint32_t shared_bytes_per_block = 0;
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  InstructionMix mix{};  ///< Warp instructions by class.
};

/// One launch of a run.
struct LaunchRecord {
  std::size_t kernel = 0;  ///< Index into RunResult::kernels.
  LaunchShape shape;
  device::LaunchResult result;
};

struct RunResult {
  std::vector<KernelResult> kernels;   ///< In the order in which the workload declares them.
  std::vector<LaunchRecord> launches;  ///< In the order of execution.
  CheckResult check;
  std::optional<Picture> picture;
  /// Durations on the host, in seconds.
  struct Seconds {
    double input = 0;
    double compilation = 0;
    double simulation = 0;  ///< Including copies to and from the device.
    double check = 0;
  } seconds;

  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;
  InstructionMix mix() const;
};

struct RunOptions {
  Size size = Size::small;
  std::uint64_t seed = 1;
  GridChoice grid = GridChoice::input;
  device::DeviceOptions device{};
  /// Kernels that replace those of the workload; names and parameters must be the same.
  std::optional<device::PtxSource> kernels{};
  /// Called at the beginning of each phase of the run, and after each launch with the progress. May
  /// be empty.
  std::function<void(std::string_view phase, std::string_view detail)> progress{};
};

/// Runs the workload once. Throws InputError if the workload does not have the size or grid of the
/// options, and exec::SimulatedFault if a kernel faults.
RunResult run_workload(const Workload& workload, const RunOptions& options);

/// Thread instructions per warp instruction; 0 if there are none.
double mean_active_lanes(std::uint64_t thread_instructions, std::uint64_t warp_instructions);

}  // namespace heddle::workload
