#pragma once

// A program's launches, run after run, for a chip that runs several side by side.

#include <vector>

#include "gpu/launch_source.h"
#include "side_by_side.h"
#include "workload/hosted_program.h"

namespace heddle {

class ProgramSource final : public gpu::LaunchSource {
 public:
  /// Where a run ends, `is_over` says whether that was all.
  ProgramSource(const workload::Workload& workload, workload::RunOptions options,
                const exec::Engine& engine, std::function<bool()> is_over)
      : program_(workload, std::move(options), engine), is_over_(std::move(is_over)) {}

  const exec::Launch* next() override;
  void ended(const gpu::KernelRun& run) override;

  const std::vector<CompleteRun>& runs() const { return runs_; }
  std::uint64_t wrong_runs() const { return wrong_runs_; }
  const workload::RunResult& result() const { return result_; }

 private:
  void end_run();

  workload::HostedProgram program_;
  std::function<bool()> is_over_;
  CompleteRun run_;  ///< The one under way.
  std::vector<CompleteRun> runs_;
  std::uint64_t wrong_runs_ = 0;
  workload::RunResult result_;
};

}  // namespace heddle
