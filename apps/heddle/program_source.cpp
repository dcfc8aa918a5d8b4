#include "program_source.h"

#include <fmt/format.h>

#include "base/error.h"

namespace heddle {

const exec::Launch* ProgramSource::next() {
  for (;;) {
    if (const exec::Launch* const launch = program_.resume()) return launch;
    end_run();
    if (all_complete_()) return nullptr;
  }
}

void ProgramSource::ended(const gpu::KernelRun& run) {
  if (current_run_.launches++ == 0) current_run_.begin = run.begin;
  current_run_.end = run.begin + run.cycles;
  current_run_.launch_cycles += run.cycles.count;
  current_run_.warp_instructions += run.warp_instructions;
  current_run_.thread_instructions += run.thread_instructions;
  program_.launch_ended(
      {.warp_instructions = run.warp_instructions, .thread_instructions = run.thread_instructions});
}

void ProgramSource::end_run() {
  if (current_run_.launches == 0) {
    throw InputError(fmt::format("'{}' launches no kernel", program_.workload().name));
  }
  const bool is_wrong = !program_.result().check.passed();
  if (complete_runs_.empty() || (is_wrong && wrong_runs_ == 0)) result_ = program_.result();
  if (is_wrong) ++wrong_runs_;
  complete_runs_.push_back(current_run_);
  current_run_ = {};
}

}  // namespace heddle
