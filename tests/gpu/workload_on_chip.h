#pragma once

// Runs workloads on built-in machines and keeps the results of every launch.

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/chip.h"
#include "gpu/machine.h"
#include "gpu/sanitized.h"
#include "workload/run.h"

namespace heddle::gpu::test {

/// The machines on which the papers measured their baselines.
inline const std::vector<std::string> kBaselines{"coarse",  "ilp",     "large-warps", "preexec",
                                                 "storage", "unified", "uniform",     "warpman"};

/// Replaces all characters that a test name must not have.
inline std::string as_test_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

/// The workloads to run on every machine: all, or, with sanitizers, a varied selection.
inline std::vector<std::string> workloads_to_run() {
  if (kSanitized) return {"reduction", "bfs", "histogram", "convolution-texture"};
  std::vector<std::string> names;
  for (const workload::Workload* each : workload::all_workloads()) names.push_back(each->name);
  return names;
}

/// Compile options with the registers that a block of each kernel can have on the machine, as a
/// programmer would ask nvcc.
inline code::CompileOptions compiled_for(const Machine& machine,
                                         const workload::Workload& workload) {
  std::map<std::string, std::uint32_t, std::less<>> most;
  for (const workload::KernelDeclaration& kernel : workload.kernels) {
    most[kernel.name] = machine.sm.residency.max_registers(kernel.block.count());
  }
  code::CompileOptions options = machine.compile_options();
  options.register_limit_of_kernel = [most = std::move(most)](std::string_view kernel) {
    const auto found = most.find(kernel);
    return found == most.end() ? 0U : found->second;
  };
  return options;
}

/// A workload that ran on a chip.
struct WorkloadOnChip {
  std::vector<KernelRun> runs;
  std::vector<CounterName> counters;
  workload::RunResult result;
};

inline WorkloadOnChip run_on_chip(const Machine& machine, const std::string& name,
                                  const ChipOptions& chip_options = {}) {
  const workload::Workload& workload = workload::find_workload(name);
  Chip chip(machine, chip_options);
  workload::RunOptions options;
  options.size = workload::Size::tiny;
  options.device.compile = compiled_for(machine, workload);
  options.device.engine = &chip;
  workload::RunResult result = run_workload(workload, options);
  return {.runs = chip.runs(), .counters = chip.counters(), .result = std::move(result)};
}

/// A functional run of the same code.
inline workload::RunResult run_untimed(const Machine& machine, const std::string& name) {
  const workload::Workload& workload = workload::find_workload(name);
  workload::RunOptions options;
  options.size = workload::Size::tiny;
  options.device.compile = compiled_for(machine, workload);
  return run_workload(workload, options);
}

/// A workload that does not fit on a machine, however it is compiled: a block needs more shared
/// memory or more threads than the multiprocessor has.
struct Misfit {
  std::string_view machine;
  std::string_view workload;
  std::string_view runs_out;  ///< As the message names it.
};

std::optional<Misfit> find_misfit(std::string_view machine, std::string_view workload);

/// The first difference between two launches; empty if there is none.
std::string difference(const KernelRun& a, const KernelRun& b,
                       const std::vector<CounterName>& counters);
/// The first difference between the launches of two chips; empty if there is none.
std::string difference(const std::vector<KernelRun>& a, const std::vector<KernelRun>& b,
                       const std::vector<CounterName>& counters);

/// A launch's counter with this name.
std::uint64_t counter_of(const KernelRun& run, const std::vector<CounterName>& counters,
                         std::string_view name);
/// The sum of a launch's counters whose names begin with `prefix`.
std::uint64_t sum_of(const KernelRun& run, const std::vector<CounterName>& counters,
                     std::string_view prefix);

}  // namespace heddle::gpu::test
