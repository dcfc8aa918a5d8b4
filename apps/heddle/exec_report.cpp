#include "exec_report.h"

#include <fmt/format.h>

#include "print.h"
#include "timing_json.h"
#include "timing_report.h"

namespace heddle {
namespace {

nlohmann::ordered_json extent_to_json(const Dim3& dimensions) {
  return {dimensions.x, dimensions.y, dimensions.z};
}

}  // namespace

double rate_of(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

nlohmann::ordered_json exec_kernel_to_json(const code::FunctionInfo& kernel,
                                           const device::LaunchConfiguration& configuration) {
  return {{"name", kernel.name},
          {"grid", extent_to_json(configuration.grid)},
          {"block", extent_to_json(configuration.block)},
          {"registers_per_thread", kernel.registers_per_thread}};
}

nlohmann::ordered_json exec_to_json(nlohmann::ordered_json kernel, nlohmann::ordered_json host,
                                    const TimedChip* timed) {
  nlohmann::ordered_json json;
  json["schema"] = "heddle-exec-3";
  if (timed != nullptr) {
    json["machine"] = machine_to_json(timed->chip.machine());
    // A launch that was rejected has no run.
    if (!timed->chip.runs().empty()) {
      add_timing(kernel, *timed, timing_by_kernel(timed->chip.runs()).front());
    }
  }
  json["kernels"] = nlohmann::ordered_json::array({std::move(kernel)});
  if (timed != nullptr) json["totals"] = totals_to_json(*timed);
  host["threads"] = timed != nullptr ? timed->threads : 1;
  json["host"] = std::move(host);
  return json;
}

void print_exec(const code::FunctionInfo& kernel, const device::LaunchConfiguration& configuration,
                const device::LaunchResult& result, double seconds, const TimedChip* timed) {
  const double lanes = result.warp_instructions == 0
                           ? 0
                           : static_cast<double>(result.thread_instructions) /
                                 static_cast<double>(result.warp_instructions);
  const Dim3& grid = configuration.grid;
  const Dim3& block = configuration.block;
  print("kernel                {}\n", kernel.name);
  print("grid x block          {}x{}x{} x {}x{}x{}\n", grid.x, grid.y, grid.z, block.x, block.y,
        block.z);
  print("registers per thread  {}\n", kernel.registers_per_thread);
  print("warp instructions     {}\n", result.warp_instructions);
  print("thread instructions   {} ({:.1f} lanes active)\n", result.thread_instructions, lanes);
  if (timed != nullptr) {
    const Margin margin{.column = 22};
    // The run consists of one launch, so there is one kernel.
    print("{}{}", machine_text(*timed, margin),
          timing_text(*timed, timing_by_kernel(timed->chip.runs()).front(), margin));
  }
  print("host time             {:.3f} s ({:.1f} million warp instructions per second)\n", seconds,
        rate_of(result.warp_instructions, seconds) / 1e6);
}

}  // namespace heddle
