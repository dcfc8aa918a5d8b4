#include "simulate_run.h"

#include <fmt/format.h>

#include <stdexcept>

#include "lab/runner.h"
#include "residency_choice.h"
#include "run_report.h"
#include "side_by_side_report.h"
#include "timing_json.h"
#include "workload/run.h"

namespace heddle {
namespace {

void require_correct(const workload::CheckResult& check) {
  if (check.passed()) return;
  std::string message = fmt::format("wrong result: {} of {} values differ", check.differing_count(),
                                    check.compared_count());
  if (!check.differences().empty()) {
    const workload::Difference& first = check.differences().front();
    message += fmt::format(" ({}: {}, should be {})", first.where, first.got, first.want);
  }
  throw std::runtime_error(message);
}

/// Simulates a run of several programs side by side.
std::string simulate_programs(const lab::RunRequest& run, const Limits& limits,
                              const std::function<void()>& throw_if_stopped) {
  SideBySideOptions options{
      .programs = workload::parse_programs(run.programs,
                                           {.size = run.size, .seed = run.seed, .grid = run.grid}),
      .registers = run.registers,
      .machines_alone = run.machines_alone};
  options.chip = {.max_cycles = limits.cycles,
                  .registers = registers_of_programs(options.registers, options.programs),
                  .progress = [&](const gpu::ChipProgress&) { throw_if_stopped(); }};
  options.device.max_warp_instructions = limits.warp_instructions;
  options.device.print = [](std::string_view) {};
  TimedChip timed(run.machine, run.settings, options.chip);
  const SideBySideResult result = run_side_by_side(timed.chip, options);
  for (const ProgramResult& program : result.programs) require_correct(program.result.check);
  return side_by_side_to_json(side_by_side_header(options, timed), result, timed).dump();
}

}  // namespace

std::string simulate_run(const lab::RunRequest& run, const std::stop_token& stop,
                         const Limits& limits) {
  const auto throw_if_stopped = [&stop](const auto&...) {
    if (stop.stop_requested()) throw lab::Stopped();
  };
  if (!run.programs.empty()) return simulate_programs(run, limits, throw_if_stopped);
  const lab::RegisterChoice& registers = run.registers;
  const std::vector<workload::KernelDeclaration>& kernels = run.workload->kernels_for(run.grid);
  TimedChip timed(run.machine, run.settings,
                  {.max_cycles = limits.cycles,
                   .registers = residency_registers_by_kernel(registers, kernels),
                   .progress = throw_if_stopped});
  workload::RunOptions options{
      .size = run.size, .seed = run.seed, .grid = run.grid, .progress = throw_if_stopped};
  options.device.engine = &timed.chip;
  options.device.access_observers = timed.locality.get();
  options.device.max_warp_instructions = limits.warp_instructions;
  options.device.compile = compile_options_for(timed.chip.machine(), kernels);
  // Discards the kernels' output: parallel runs would mix their lines.
  options.device.print = [](std::string_view) {};
  const nlohmann::ordered_json header = run_header(*run.workload, options, registers, &timed);
  const workload::RunResult result = workload::run_workload(*run.workload, options);
  require_correct(result.check);
  nlohmann::ordered_json json = run_to_json(header, result, registers, &timed);
  json.erase("host");
  return json.dump();
}

}  // namespace heddle
