// Benchmarks of the functional run (simulation without timing) of every workload, in size 'small'.
// The counters are as in execution_bench.cpp. Only the simulation is measured, and results are
// checked.

#include "workloads_bench.h"

#include <benchmark/benchmark.h>

#include "workload/run.h"

namespace heddle {
namespace {

void run_small(benchmark::State& state, const workload::Workload& workload, bool& verified) {
  std::uint64_t instructions = 0;
  double lanes = 0;
  workload::RunOptions options;
  options.size = workload::Size::small;
  for (auto _ : state) {
    const workload::RunResult result = workload::run_workload(workload, options);
    state.SetIterationTime(result.seconds.simulation);
    instructions += result.warp_instructions();
    lanes = workload::mean_active_lanes(result.thread_instructions(), result.warp_instructions());
    if (!result.check.passed()) {
      verified = false;
      state.SkipWithError("the workload computed a wrong result");
      break;
    }
  }
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["lanes"] = lanes;
}

}  // namespace

void register_workloads(bool& verified) {
  for (const workload::Workload* workload : workload::all_workloads()) {
    benchmark::RegisterBenchmark(
        ("workload/" + workload->name).c_str(),
        [workload, &verified](benchmark::State& state) { run_small(state, *workload, verified); })
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->MinTime(0.1);
  }
}

}  // namespace heddle
