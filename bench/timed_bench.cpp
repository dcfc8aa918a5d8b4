// Benchmarks of timed runs, that is, of simulation with timing. They measure the simulated warp
// instructions per second of host time, how this rate depends on the number of host threads, the
// size of the workload and the simulated machine, and the use of memory.

#include "timed_bench.h"

#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <utility>

#include "gpu/machine.h"
#include "peak_memory.h"
#include "timed_run.h"
#include "workload/workload.h"

namespace heddle {
namespace {

using workload::Size;
using workload::Workload;

constexpr char kMachine[] = "warpman";

/// One machine description for each paper, and no variants of them.
constexpr std::array kMachines{"coarse",  "ilp",     "large-warps", "preexec",
                               "storage", "unified", "uniform",     "warpman"};

constexpr char kComputeBound[] = "matrix-multiply";
constexpr char kMemoryBound[] = "vector-add";

/// Registers a benchmark. An iteration is one run, which takes long enough to be measured alone.
/// The run measures its own time.
template <class Measure>
void add(const std::string& name, int repetitions, Measure measure) {
  benchmark::RegisterBenchmark(("timed/" + name).c_str(),
                               [measure](benchmark::State& state) {
                                 for (auto _ : state) measure(state);
                               })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime()
      ->Iterations(1)
      ->Repetitions(repetitions);
}

/// Registers the benchmarks. If a run computes a wrong result, sets `verified` to false.
class TimedBenchmarks {
 public:
  explicit TimedBenchmarks(bool& verified) : verified_(&verified) {}

  void register_all() const {
    for (const Workload* workload : workload::all_workloads()) {
      add_run("small/" + workload->name, *workload, gpu::load_machine(kMachine));
    }
    for (const Workload* workload : workload::all_workloads()) add_two_threads(*workload);
    for (const char* name : {kComputeBound, kMemoryBound}) {
      const Workload& workload = workload::find_workload(name);
      add_size(workload, Size::medium, 3);
      add_size(workload, Size::large, 1);
      for (const char* sms : {"1", "15", "60"}) {
        add_run(std::string("sms/") + sms + "/" + name, workload,
                gpu::load_machine(kMachine, {std::string("chip.sms=") + sms}));
      }
      for (const char* machine : kMachines) {
        add_run(std::string("machine/") + machine + "/" + name, workload,
                gpu::load_machine(machine));
      }
    }
    for (const Workload* workload : workload::all_workloads()) add_memory(*workload);
  }

 private:
  void add_run(const std::string& name, const Workload& workload, gpu::Machine machine) const {
    add(name, 3, [*this, &workload, machine = std::move(machine)](benchmark::State& state) {
      report(state, run_timed(workload, Size::small, machine));
    });
  }

  /// Adds a run with two host threads. Each is preceded by a run with one host thread, to compute
  /// the speed-up: other load on the host changes little between the two.
  void add_two_threads(const Workload& workload) const {
    add("threads/2/" + workload.name, 1,
        [*this, &workload, machine = gpu::load_machine(kMachine)](benchmark::State& state) {
          const TimedRun one = run_timed(workload, Size::medium, machine, 1);
          const TimedRun two = run_timed(workload, Size::medium, machine, 2);
          report(state, two);
          state.counters["speed_up"] = one.seconds / two.seconds;
          check(state, one.passed && one.cycles == two.cycles);
        });
  }

  /// Adds a run of a larger size. Its cost per instruction is compared with that of runs of size
  /// 'small' immediately before and after it.
  void add_size(const Workload& workload, Size size, int repetitions) const {
    add("size/" + std::string(name_of(size)) + "/" + workload.name, repetitions,
        [*this, &workload, size, machine = gpu::load_machine(kMachine)](benchmark::State& state) {
          const TimedRun before = run_timed(workload, Size::small, machine);
          const TimedRun run = run_timed(workload, size, machine);
          const TimedRun after = run_timed(workload, Size::small, machine);
          report(state, run);
          state.counters["cost_over_small"] =
              2 * run.nanoseconds_per_instruction() /
              (before.nanoseconds_per_instruction() + after.nanoseconds_per_instruction());
          check(state, before.passed && after.passed);
        });
  }

  void add_memory(const Workload& workload) const {
    add("memory/medium/" + workload.name, 1, [*this, &workload](benchmark::State& state) {
      const PeakMemory peak = peak_memory_of(workload.name);
      state.SetIterationTime(peak.seconds);
      state.counters["peak_bytes"] =
          benchmark::Counter(static_cast<double>(peak.bytes), benchmark::Counter::kDefaults,
                             benchmark::Counter::kIs1024);
      check(state, peak.passed);
    });
  }

  void report(benchmark::State& state, const TimedRun& run) const {
    state.SetIterationTime(run.seconds);
    state.SetItemsProcessed(static_cast<std::int64_t>(run.warp_instructions));
    state.counters["cycles"] = static_cast<double>(run.cycles);
    state.counters["processor_ns_per_instruction"] = run.nanoseconds_per_instruction();
    check(state, run.passed);
  }

  void check(benchmark::State& state, bool passed) const {
    if (passed) return;
    *verified_ = false;
    state.SkipWithError("the workload computed a wrong result");
  }

  bool* verified_;
};

}  // namespace

void register_timed(bool& verified) { TimedBenchmarks(verified).register_all(); }

}  // namespace heddle
