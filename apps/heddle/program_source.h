#pragma once

// A chip that runs several programs side by side gets the launches of each program from a
// ProgramSource. The program is repeated until every program has completed once.

#include <vector>

#include "gpu/launch_source.h"
#include "side_by_side.h"
#include "workload/hosted_program.h"

namespace heddle {

class ProgramSource final : public gpu::LaunchSource {
 public:
  /// `all_complete` returns whether every program has completed a run. It is called at the end of
  /// each run of this program; if it returns true, the program does not start again.
  ProgramSource(const workload::Workload& workload, workload::RunOptions options,
                const exec::Engine& engine, std::function<bool()> all_complete)
      : program_(workload, std::move(options), engine), all_complete_(std::move(all_complete)) {}

  const exec::Launch* next() override;
  void ended(const gpu::KernelRun& run) override;

  const std::vector<CompleteRun>& runs() const { return complete_runs_; }
  /// The number of complete runs with a wrong result.
  std::uint64_t wrong_runs() const { return wrong_runs_; }
  /// The result of the first wrong run; if no run was wrong, of the first run.
  const workload::RunResult& result() const { return result_; }

 private:
  void end_run();

  workload::HostedProgram program_;
  std::function<bool()> all_complete_;
  CompleteRun current_run_;  ///< What the run in progress has done so far.
  std::vector<CompleteRun> complete_runs_;
  std::uint64_t wrong_runs_ = 0;
  workload::RunResult result_;
};

}  // namespace heddle
