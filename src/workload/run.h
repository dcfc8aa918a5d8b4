#pragma once

// One run of a workload on the simulator, and what came of it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/picture.h"
#include "device/device.h"
#include "workload/instruction_mix.h"
#include "workload/simulated_device.h"
#include "workload/verdict.h"
#include "workload/workload.h"

namespace heddle::workload {

/// A kernel's launches taken together.
struct KernelResult {
  std::string name;
  Dim3 block;
  std::uint32_t registers_per_thread = 0;  ///< As we compile it.
  std::optional<PaperFigures> paper = std::nullopt;
  std::uint32_t shared_bytes_per_block = 0;  ///< With the dynamic part; the most of all launches.
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  InstructionMix mix{};
};

struct LaunchRecord {
  std::size_t kernel = 0;  ///< Index into RunResult::kernels.
  LaunchShape shape;
  device::LaunchResult result;
};

struct RunResult {
  std::vector<KernelResult> kernels;  ///< In the order in which the workload declares them.
  std::vector<LaunchRecord> launches;
  Verdict verdict;
  std::optional<Picture> picture;
  struct Seconds {
    double input = 0;
    double compilation = 0;
    double simulation = 0;  ///< With the copies to and from the device.
    double check = 0;
  } seconds;

  std::uint64_t warp_instructions() const;
  std::uint64_t thread_instructions() const;
  InstructionMix mix() const;
};

struct RunOptions {
  Size size = Size::small;
  std::uint64_t seed = 1;
  GridShape grid = GridShape::input;
  device::DeviceOptions device{};
  /// Kernels to run in place of the workload's own: the same names and parameters.
  std::optional<device::PtxSource> kernels{};
  /// Told what the run does, and now and then how far it is.
  std::function<void(std::string_view phase, std::string_view detail)> progress{};
};

/// Throws InputError where the workload has no such size, or no form for such a grid,
/// exec::SimulatedFault where a kernel faults.
RunResult run_workload(const Workload& workload, const RunOptions& options);

/// Thread instructions for each warp instruction; 0 where there is none.
double mean_active_lanes(std::uint64_t thread_instructions, std::uint64_t warp_instructions);

}  // namespace heddle::workload
