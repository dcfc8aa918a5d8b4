// The accesses that a timed chip reports: those of the program, each once, in the same order for
// any number of host threads. Observation does not change the simulation.

#include "gpu/observed_accesses.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "exec/launch.h"
#include "exec/observation/access_observer.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

/// Who accessed what: launch, block, warp, multiprocessor, instruction, lane and address. A warp's
/// end has no instruction and belongs to no lane.
using Step = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t,
                        int, std::uint64_t>;
constexpr std::uint32_t kEnd = ~std::uint32_t{0};

/// Keeps all steps of all launches.
class Steps final : public exec::AccessObservers {
 public:
  std::unique_ptr<exec::AccessObserver> begin_launch(const exec::Launch& launch) override {
    return std::make_unique<OfLaunch>(steps_, launch.grid_id);
  }
  const std::vector<Step>& all() const { return steps_; }
  /// By thread (launch, block, warp, lane): the instructions that made its accesses, and their
  /// addresses. Dynamic formation executes the threads of a warp at different times.
  using Threads =
      std::map<std::array<std::uint64_t, 4>, std::vector<std::pair<std::uint32_t, std::uint64_t>>>;
  Threads by_thread() const {
    Threads threads;
    for (const auto& [launch, block, warp, sm, pc, lane, address] : steps_) {
      threads[{launch, block, warp, static_cast<std::uint64_t>(lane)}].emplace_back(pc, address);
    }
    return threads;
  }

 private:
  class OfLaunch final : public exec::AccessObserver {
   public:
    OfLaunch(std::vector<Step>& steps, std::uint64_t launch) : steps_(steps), launch_(launch) {}

    void access(const exec::ObservedAccess& access) override {
      const exec::ObservedWarp& warp = access.warp;
      for (LaneMask lanes = access.lanes; !lanes.empty(); lanes = lanes.without_lowest()) {
        const int lane = lanes.lowest();
        steps_.emplace_back(launch_, warp.block, warp.warp, warp.sm, access.pc, lane,
                            (*access.addresses)[static_cast<std::size_t>(lane)]);
      }
    }
    void end_warp(const exec::ObservedWarp& warp) override {
      steps_.emplace_back(launch_, warp.block, warp.warp, warp.sm, kEnd, kWarpSize, 0);
    }

   private:
    std::vector<Step>& steps_;
    std::uint64_t launch_;
  };

  std::vector<Step> steps_;
};

WorkloadOnChip run_observed(const Machine& machine, const std::string& name, Steps& steps,
                            std::uint32_t threads = 1) {
  const workload::Workload& workload = workload::find_workload(name);
  Chip chip(machine, {.threads = threads});
  workload::RunOptions options;
  options.size = workload::Size::tiny;
  options.device.compile = compile_options_for(machine, workload);
  options.device.engine = &chip;
  options.device.access_observers = &steps;
  workload::RunResult result = run_workload(workload, options);
  return {.runs = chip.runs(), .counters = chip.counters(), .result = std::move(result)};
}

struct ObservedRun {
  std::string machine;
  std::string workload;
  std::vector<std::string> settings{};

  std::string title() const { return machine + " " + workload; }
  friend void PrintTo(const ObservedRun& run, std::ostream* out) { *out << run.title(); }
};

/// Divergence policies, results that are computed ahead, small blocks, and atomics. No thread's
/// work depends on the order in which threads run.
std::vector<ObservedRun> runs() {
  if (kSanitized) return {{"preexec", "reduction"}, {"large-warps", "histogram"}};
  return {{"warpman", "reduction"},
          {"preexec", "spmv"},
          {"preexec", "kmeans", {"lookahead.policy=pre-execution"}},
          {"large-warps", "matrix-multiply"},
          {"large-warps", "histogram", {"divergence.policy=large-warp"}},
          {"large-warps", "kmeans", {"divergence.policy=dynamic-formation"}},
          {"warpman", "vector-add", {"dispatch.small_blocks=yes"}},
          {"coarse", "histogram"}};
}

class ObservedAccesses : public testing::TestWithParam<ObservedRun> {
 protected:
  static Machine machine() { return load_machine(GetParam().machine, GetParam().settings); }
  static const std::string& workload() { return GetParam().workload; }
};

TEST_P(ObservedAccesses, ChangeNothing) {
  const WorkloadOnChip plain = run_on_chip(machine(), workload());
  Steps steps;
  const WorkloadOnChip observed = run_observed(machine(), workload(), steps);
  EXPECT_EQ(difference(plain.runs, observed.runs, plain.counters), "");
  EXPECT_FALSE(steps.all().empty());
}

TEST_P(ObservedAccesses, AreEqualForAnyNumberOfHostThreads) {
  Steps one;
  run_observed(machine(), workload(), one);
  for (const std::uint32_t threads : host_threads({2, 3})) {
    Steps several;
    run_observed(machine(), workload(), several, threads);
    EXPECT_TRUE(several.all() == one.all()) << threads;
  }
}

TEST_P(ObservedAccesses, AreThoseOfEachThreadWithoutTiming) {
  Steps timed;
  run_observed(machine(), workload(), timed);
  Steps functional;
  const workload::Workload& program = workload::find_workload(workload());
  workload::RunOptions options;
  options.size = workload::Size::tiny;
  options.device.compile = compile_options_for(machine(), program);
  options.device.access_observers = &functional;
  run_workload(program, options);
  EXPECT_TRUE(timed.by_thread() == functional.by_thread());
}

INSTANTIATE_TEST_SUITE_P(OfMachines, ObservedAccesses, testing::ValuesIn(runs()),
                         [](const auto& run) {
                           return as_test_name(run.param.title() + " " + std::to_string(run.index));
                         });

}  // namespace
}  // namespace heddle::gpu::test
