#include "lab/expected_durations.h"

#include <vector>

#include "workload/program_choice.h"

namespace heddle::lab {
namespace {

/// The programs of a run: one workload, or several that run side by side.
std::vector<workload::ProgramChoice> programs_of(const RunRequest& run) {
  const workload::ProgramChoice one{.workload = run.workload, .size = run.size, .grid = run.grid};
  if (run.programs.empty()) return {one};
  return workload::parse_programs(run.programs, one);
}

}  // namespace

std::optional<double> ExpectedDurations::seconds(const RunRequest& run) const {
  const MeasuredRuns wanted{.workload = run.workload_name(),
                            .size = std::string(workload::name_of(run.size)),
                            .grid = std::string(workload::name_of(run.grid)),
                            .machine = run.machine.name};
  const auto same = measured_.find(wanted);
  if (same != measured_.end()) return same->second.seconds / static_cast<double>(same->second.runs);
  // Entries that differ only in the machine are neighbours.
  MeasuredTime on_all_machines;
  const MeasuredRuns first{wanted.workload, wanted.size, wanted.grid, ""};
  for (auto entry = measured_.lower_bound(first);
       entry != measured_.end() && entry->first.is_same_work(wanted); ++entry) {
    on_all_machines.seconds += entry->second.seconds;
    on_all_machines.runs += entry->second.runs;
  }
  if (on_all_machines.runs > 0) {
    return on_all_machines.seconds / static_cast<double>(on_all_machines.runs);
  }
  return seconds_by_instructions(run);
}

std::optional<double> ExpectedDurations::seconds_by_instructions(const RunRequest& run) const {
  double instructions = 0;
  for (const workload::ProgramChoice& program : programs_of(run)) {
    const auto count =
        counts_.find(WorkloadForm(program.workload->name, program.size, program.grid));
    if (count == counts_.end()) return std::nullopt;
    instructions += static_cast<double>(count->second);
  }
  // Programs that run side by side also run alone.
  if (!run.programs.empty()) instructions *= 2;
  return instructions / kExpectedInstructionsPerSecond;
}

}  // namespace heddle::lab
