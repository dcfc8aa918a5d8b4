#include "workload/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "base/error.h"

namespace heddle::workload {
namespace {

class Stopwatch {
 public:
  /// Seconds since the last lap.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Throws InputError unless the program has all kernels of the workload.
void check_kernels(const Workload& workload, GridChoice grid, const code::Program& program) {
  for (const KernelDeclaration& declaration : workload.kernels_for(grid)) {
    if (program.find_kernel(declaration.name) == nullptr) {
      throw InputError(
          fmt::format("workload '{}' needs a kernel '{}', which the PTX does not define",
                      workload.name, declaration.name));
    }
  }
}

std::vector<KernelResult> declared_kernels(const std::vector<KernelDeclaration>& declarations,
                                           const SimulatedDevice& device) {
  std::vector<KernelResult> kernels;
  for (const KernelDeclaration& declaration : declarations) {
    const code::FunctionInfo* info = device.program().find_kernel(declaration.name);
    kernels.push_back({.name = declaration.name,
                       .block = declaration.block,
                       .registers_per_thread = info->registers_per_thread,
                       .paper = declaration.paper,
                       .shared_bytes_per_block = info->shared_bytes,
                       .mix = device.mix_of(*info)});
  }
  return kernels;
}

void add_launches(const SimulatedDevice& device, RunResult& result) {
  for (const SimulatedDevice::Launch& launch : device.launches()) {
    const auto kernel = std::find_if(result.kernels.begin(), result.kernels.end(),
                                     [&](const auto& k) { return k.name == launch.kernel->name; });
    if (kernel == result.kernels.end()) {
      throw std::logic_error(fmt::format("kernel '{}' is not declared", launch.kernel->name));
    }
    ++kernel->launches;
    kernel->warp_instructions += launch.result.warp_instructions;
    kernel->thread_instructions += launch.result.thread_instructions;
    kernel->shared_bytes_per_block =
        std::max(kernel->shared_bytes_per_block,
                 launch.kernel->shared_bytes + launch.shape.dynamic_shared_bytes);
    result.launches.push_back({.kernel = static_cast<std::size_t>(kernel - result.kernels.begin()),
                               .shape = launch.shape,
                               .result = launch.result});
  }
}

}  // namespace

std::uint64_t RunResult::warp_instructions() const {
  std::uint64_t sum = 0;
  for (const KernelResult& kernel : kernels) sum += kernel.warp_instructions;
  return sum;
}

std::uint64_t RunResult::thread_instructions() const {
  std::uint64_t sum = 0;
  for (const KernelResult& kernel : kernels) sum += kernel.thread_instructions;
  return sum;
}

InstructionMix RunResult::mix() const {
  InstructionMix sum;
  for (const KernelResult& kernel : kernels) sum += kernel.mix;
  return sum;
}

double mean_active_lanes(std::uint64_t thread_instructions, std::uint64_t warp_instructions) {
  if (warp_instructions == 0) return 0;
  return static_cast<double>(thread_instructions) / static_cast<double>(warp_instructions);
}

RunResult run_workload(const Workload& workload, const RunOptions& options) {
  if (options.size == Size::paper && !workload.has_paper_size) {
    throw InputError(
        fmt::format("no paper gives a size for '{}'; choose tiny, small, medium or "
                    "large",
                    workload.name));
  }
  const auto report = [&](std::string_view phase, std::string_view detail = {}) {
    if (options.progress) options.progress(phase, detail);
  };
  RunResult result;
  Stopwatch stopwatch;
  report("making the input");
  const std::unique_ptr<HostProgram> program =
      workload.make_for(options.grid, options.size, options.seed);
  result.seconds.input = stopwatch.lap();

  report("compiling the kernels");
  SimulatedDevice device = options.kernels ? SimulatedDevice(*options.kernels, options.device)
                                           : SimulatedDevice(workload, options.device);
  check_kernels(workload, options.grid, device.program());
  result.seconds.compilation = stopwatch.lap();

  report("simulating");
  std::uint64_t instructions = 0;
  device.on_launch = [&](const SimulatedDevice::Launch& launch) {
    instructions += launch.result.warp_instructions;
    if (!options.progress) return;
    report("simulating",
           fmt::format("{} launches, {:.1f} million warp instructions", device.launches().size(),
                       static_cast<double>(instructions) / 1e6));
  };
  program->run(device);
  result.seconds.simulation = stopwatch.lap();

  report("checking the result");
  result.check = program->check();
  result.seconds.check = stopwatch.lap();
  result.picture = program->picture();
  result.kernels = declared_kernels(workload.kernels_for(options.grid), device);
  add_launches(device, result);
  return result;
}

}  // namespace heddle::workload
