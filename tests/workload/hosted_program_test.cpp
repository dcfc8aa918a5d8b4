// Host parts on threads of their own, one of which runs at a time.

#include "workload/hosted_program.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace heddle::workload::test {
namespace {

/// Runs launches without time, where the test says so.
class Answers final : public exec::Engine {
 public:
  exec::GridResult run(const exec::Launch& launch) override { return exec::run_grid(launch); }
  std::uint64_t resident_blocks(const exec::Launch&) const override { return 4; }
};

RunOptions tiny() { return {.size = Size::tiny}; }

/// Lets it go on to its run's end. Returns how many launches it had.
std::size_t run_once(HostedProgram& program) {
  std::size_t launches = 0;
  while (const exec::Launch* const launch = program.go_on()) {
    program.launch_ended(exec::run_grid(*launch));
    ++launches;
  }
  return launches;
}

TEST(HostedProgram, RunsAgainAfterItsEndWithTheSameResult) {
  const Answers engine;
  HostedProgram program(find_workload("bfs"), tiny(), engine);
  const std::size_t launches = run_once(program);
  const RunResult first = program.result();
  EXPECT_TRUE(first.verdict.passed());
  EXPECT_EQ(first.launches.size(), launches);
  EXPECT_GT(launches, 1U);
  EXPECT_EQ(run_once(program), launches);
  EXPECT_TRUE(program.result().verdict.passed());
  EXPECT_EQ(program.result().warp_instructions(), first.warp_instructions());
}

TEST(HostedProgram, TakesTurnsWithAnother) {
  const Answers engine;
  HostedProgram a(find_workload("bfs"), tiny(), engine);
  HostedProgram b(find_workload("reduction"), tiny(), engine);
  bool a_ended = false;
  bool b_ended = false;
  while (!a_ended || !b_ended) {
    const exec::Launch* const of_a = a_ended ? nullptr : a.go_on();
    const exec::Launch* const of_b = b_ended ? nullptr : b.go_on();
    // Both are there at once.
    if (of_b != nullptr) b.launch_ended(exec::run_grid(*of_b));
    if (of_a != nullptr) a.launch_ended(exec::run_grid(*of_a));
    a_ended = a_ended || of_a == nullptr;
    b_ended = b_ended || of_b == nullptr;
  }
  EXPECT_TRUE(a.result().verdict.passed());
  EXPECT_TRUE(b.result().verdict.passed());
}

TEST(HostedProgram, MayBeGivenUpInTheMiddleOfALaunchAndBeforeTheFirst) {
  const Answers engine;
  const HostedProgram never(find_workload("bfs"), tiny(), engine);
  HostedProgram halfway(find_workload("bfs"), tiny(), engine);
  EXPECT_NE(halfway.go_on(), nullptr);
}

TEST(HostedProgram, WhatTheHostPartThrowsComesToTheCaller) {
  const Answers engine;
  RunOptions options = tiny();
  options.kernels = device::PtxSource{.file = "none.ptx", .text = "this is no PTX"};
  HostedProgram program(find_workload("bfs"), options, engine);
  EXPECT_THROW(program.go_on(), InputError);
}

}  // namespace
}  // namespace heddle::workload::test
