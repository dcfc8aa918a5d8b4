#include "suite_run.h"

#include <algorithm>

#include "gpu/chip.h"
#include "issue_slots.h"
#include "residency_choice.h"
#include "timing.h"
#include "workload/run.h"

namespace heddle::demo {
namespace {

void add_greatest_loss(const IssueSlots& slots, SuiteRun& run) {
  std::uint64_t most = 0;
  for (const auto& [name, cycles] : slots) {
    if (name == "selected" || cycles <= most) continue;
    most = cycles;
    run.lost_to = name;
  }
  std::replace(run.lost_to.begin(), run.lost_to.end(), '_', ' ');
  if (most != 0) run.lost = static_cast<double>(most) / static_cast<double>(total_of(slots));
}

}  // namespace

SuiteRun run_on(const workload::Workload& workload, const gpu::Machine& machine) {
  gpu::Chip chip(machine);
  workload::RunOptions options;
  options.size = workload::Size::small;
  options.device.engine = &chip;
  options.device.compile = compile_options_for(machine, workload.kernels);
  const workload::RunResult result = workload::run_workload(workload, options);

  const Timing timing = timing_in_all(chip.runs());
  const Figures figures(machine, chip.counters());
  SuiteRun run{.workload = workload.name,
               .machine = machine.name,
               .warp_instructions = timing.warp_instructions,
               .cycles = timing.cycles,
               .ipc = figures.ipc(timing),
               .occupancy = std::nullopt,
               .lost_to = {},
               .seconds = figures.seconds(timing),
               .passed = result.verdict.passed()};
  if (const auto residents = figures.residents(timing)) run.occupancy = residents->share;
  add_greatest_loss(issue_slots(figures, timing), run);
  return run;
}

}  // namespace heddle::demo
