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

void require_right(const workload::Verdict& verdict) {
  if (verdict.passed()) return;
  std::string message = fmt::format("its result is wrong: {} of {} values differ",
                                    verdict.differing(), verdict.compared());
  if (!verdict.differences().empty()) {
    const workload::Difference& first = verdict.differences().front();
    message += fmt::format(" ({}: {}, should be {})", first.where, first.got, first.want);
  }
  throw std::runtime_error(message);
}

/// Of several programs, side by side.
std::string simulate_programs(const lab::RunRequest& run, const Limits& limits,
                              const std::function<void()>& look_whether_to_stop) {
  SideBySideOptions options{
      .programs = workload::parse_programs(run.programs,
                                           {.size = run.size, .seed = run.seed, .grid = run.grid}),
      .registers = run.registers,
      .alone_on = run.alone};
  options.chip = {.max_cycles = limits.cycles,
                  .registers = registers_of_programs(options.registers, options.programs),
                  .progress = [&](const gpu::ChipProgress&) { look_whether_to_stop(); }};
  options.device.max_warp_instructions = limits.warp_instructions;
  options.device.print = [](std::string_view) {};
  TimedChip timed(run.machine, run.settings, options.chip);
  const SideBySide done = run_side_by_side(timed.chip, options);
  for (const ProgramResult& program : done.programs) require_right(program.result.verdict);
  return side_by_side_to_json(side_by_side_header(options, timed), done, timed).dump();
}

}  // namespace

std::string simulate_run(const lab::RunRequest& run, const std::stop_token& stop,
                         const Limits& limits) {
  const auto look_whether_to_stop = [&stop](const auto&...) {
    if (stop.stop_requested()) throw lab::Stopped();
  };
  if (!run.programs.empty()) return simulate_programs(run, limits, look_whether_to_stop);
  const lab::Registers& registers = run.registers;
  const std::vector<workload::KernelShape>& kernels = run.workload->kernels_for(run.grid);
  TimedChip timed(run.machine, run.settings,
                  {.max_cycles = limits.cycles,
                   .registers = registers_by_kernel(registers, kernels),
                   .progress = look_whether_to_stop});
  workload::RunOptions options{
      .size = run.size, .seed = run.seed, .grid = run.grid, .progress = look_whether_to_stop};
  options.device.engine = &timed.chip;
  options.device.max_warp_instructions = limits.warp_instructions;
  options.device.compile = compile_options_for(timed.chip.machine(), kernels);
  // What kernels print would run through one another.
  options.device.print = [](std::string_view) {};
  const nlohmann::ordered_json header = run_header(*run.workload, options, registers, &timed);
  const workload::RunResult result = workload::run_workload(*run.workload, options);
  require_right(result.verdict);
  nlohmann::ordered_json json = run_to_json(header, result, registers, &timed);
  json.erase("host");
  return json.dump();
}

}  // namespace heddle
