#pragma once

// The launches of one program, run after run, for a chip that runs several programs side by side.

#include <vector>

#include "gpu/launch_source.h"
#include "side_by_side.h"
#include "workload/hosted_program.h"

namespace heddle {

class ProgramSource final : public gpu::LaunchSource {
 public:
  /// `all_complete` tells whether every program has completed a run. It is called at the end of
  /// each run; if it returns true, no further run starts.
  ProgramSource(const workload::Workload& workload, workload::RunOptions options,
                const exec::Engine& engine, std::function<bool()> all_complete)
      : program_(workload, std::move(options), engine), all_complete_(std::move(all_complete)) {}

  const exec::Launch* next() override;
  void ended(const gpu::KernelRun& run) override;

  const std::vector<CompleteRun>& runs() const { return runs_; }
  std::uint64_t wrong_runs() const { return wrong_runs_; }
  const workload::RunResult& result() const { return result_; }

 private:
  void end_run();

  workload::HostedProgram program_;
  std::function<bool()> all_complete_;
  CompleteRun run_;  ///< The run in progress.
  std::vector<CompleteRun> runs_;
  std::uint64_t wrong_runs_ = 0;
  workload::RunResult result_;
};

}  // namespace heddle
