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

/// Replaces the characters that a test name must not contain.
inline std::string as_test_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

/// The workloads to run on every machine: all of them, or a varied selection with sanitizers.
inline std::vector<std::string> workloads_to_run() {
  if (kSanitized) return {"reduction", "bfs", "histogram", "convolution-texture"};
  std::vector<std::string> names;
  for (const workload::Workload* each : workload::all_workloads()) names.push_back(each->name);
  return names;
}

/// Compile options that limit each kernel's registers so that a block fits on the machine, as a
/// programmer would do with nvcc.
inline code::CompileOptions compile_options_for(const Machine& machine,
                                                const workload::Workload& workload) {
  std::map<std::string, std::uint32_t, std::less<>> limits;
  for (const workload::KernelDeclaration& kernel : workload.kernels) {
    limits[kernel.name] = machine.sm.residency.max_registers(kernel.block.count());
  }
  code::CompileOptions options = machine.compile_options();
  options.register_limit_of_kernel = [limits = std::move(limits)](std::string_view kernel) {
    const auto found = limits.find(kernel);
    return found == limits.end() ? 0U : found->second;
  };
  return options;
}

/// The results of a workload that ran on a chip.
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
  options.device.compile = compile_options_for(machine, workload);
  options.device.engine = &chip;
  workload::RunResult result = run_workload(workload, options);
  return {.runs = chip.runs(), .counters = chip.counters(), .result = std::move(result)};
}

/// Runs the same code functionally, without a chip.
inline workload::RunResult run_untimed(const Machine& machine, const std::string& name) {
  const workload::Workload& workload = workload::find_workload(name);
  workload::RunOptions options;
  options.size = workload::Size::tiny;
  options.device.compile = compile_options_for(machine, workload);
  return run_workload(workload, options);
}

/// A workload that does not fit on a machine, however it is compiled: a block needs more shared
/// memory or more threads than the multiprocessor has.
struct Misfit {
  std::string_view machine;
  std::string_view workload;
  std::string_view runs_out;  ///< The resource that runs out, as the message names it.
};

/// Empty if the workload fits on the machine.
std::optional<Misfit> find_misfit(std::string_view machine, std::string_view workload);

/// The first difference between two launches; empty if there is none.
std::string difference(const KernelRun& a, const KernelRun& b,
                       const std::vector<CounterName>& counters);
/// The first difference between the launches of two chips; empty if there is none.
std::string difference(const std::vector<KernelRun>& a, const std::vector<KernelRun>& b,
                       const std::vector<CounterName>& counters);

/// The value of the launch's counter with this name.
std::uint64_t counter_of(const KernelRun& run, const std::vector<CounterName>& counters,
                         std::string_view name);
/// The sum of a launch's counters whose names begin with `prefix`.
std::uint64_t sum_of(const KernelRun& run, const std::vector<CounterName>& counters,
                     std::string_view prefix);

}  // namespace heddle::gpu::test
