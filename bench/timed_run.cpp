#include "timed_run.h"

#include <chrono>
#include <ctime>

#include "gpu/chip.h"
#include "residency_choice.h"
#include "workload/run.h"

namespace heddle {
namespace {

/// The processor time that this process has used so far, summed over its threads.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A simulated chip that measures the host time of its launches.
class MeasuredChip final : public exec::Engine {
 public:
  MeasuredChip(const gpu::Machine& machine, std::uint32_t threads)
      : chip_(machine, {.threads = threads}) {}

  exec::GridResult run(const exec::Launch& launch) override {
    const auto begin = std::chrono::steady_clock::now();
    const double processor_begin = processor_seconds();
    const exec::GridResult result = chip_.run(launch);
    processor_seconds_ += processor_seconds() - processor_begin;
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }

  std::uint64_t resident_blocks(const exec::Launch& launch) const override {
    return chip_.resident_blocks(launch);
  }

  TimedRun measured() const {
    TimedRun sum{.seconds = seconds_, .processor_seconds = processor_seconds_};
    for (const gpu::KernelRun& run : chip_.runs()) {
      sum.warp_instructions += run.warp_instructions;
      sum.cycles += run.cycles.count;
    }
    return sum;
  }

 private:
  gpu::Chip chip_;
  double seconds_ = 0;
  double processor_seconds_ = 0;
};

}  // namespace

TimedRun run_timed(const workload::Workload& workload, workload::Size size,
                   const gpu::Machine& machine, std::uint32_t threads) {
  MeasuredChip chip(machine, threads);
  workload::RunOptions options;
  options.size = size;
  options.device.engine = &chip;
  options.device.compile = compile_options_for(machine, workload.kernels);
  const workload::RunResult result = workload::run_workload(workload, options);
  TimedRun run = chip.measured();
  run.passed = result.check.passed();
  return run;
}

}  // namespace heddle
