// HostedProgram: the host part of a workload runs on a host thread of its own, in turns with the
// caller.

#include "workload/hosted_program.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace heddle::workload::test {
namespace {

/// An engine that executes launches functionally when the test calls it.
class FunctionalEngine final : public exec::Engine {
 public:
  exec::GridResult run(const exec::Launch& launch) override { return exec::run_grid(launch); }
  std::uint64_t resident_blocks(const exec::Launch&) const override { return 4; }
};

RunOptions tiny_options() { return {.size = Size::tiny}; }

/// Resumes the program until its run ends. Returns the number of launches.
std::size_t run_once(HostedProgram& program) {
  std::size_t launches = 0;
  while (const exec::Launch* const launch = program.resume()) {
    program.launch_ended(exec::run_grid(*launch));
    ++launches;
  }
  return launches;
}

TEST(HostedProgram, RepeatsWithTheSameResult) {
  const FunctionalEngine engine;
  HostedProgram program(find_workload("bfs"), tiny_options(), engine);
  const std::size_t launches = run_once(program);
  const RunResult first = program.result();
  EXPECT_TRUE(first.check.passed());
  EXPECT_EQ(first.launches.size(), launches);
  EXPECT_GT(launches, 1U);
  EXPECT_EQ(run_once(program), launches);
  EXPECT_TRUE(program.result().check.passed());
  EXPECT_EQ(program.result().warp_instructions(), first.warp_instructions());
}

TEST(HostedProgram, AlternatesWithAnotherProgram) {
  const FunctionalEngine engine;
  HostedProgram a(find_workload("bfs"), tiny_options(), engine);
  HostedProgram b(find_workload("reduction"), tiny_options(), engine);
  bool a_ended = false;
  bool b_ended = false;
  while (!a_ended || !b_ended) {
    const exec::Launch* const launch_of_a = a_ended ? nullptr : a.resume();
    const exec::Launch* const launch_of_b = b_ended ? nullptr : b.resume();
    // Both launches are in flight at once.
    if (launch_of_b != nullptr) b.launch_ended(exec::run_grid(*launch_of_b));
    if (launch_of_a != nullptr) a.launch_ended(exec::run_grid(*launch_of_a));
    a_ended = a_ended || launch_of_a == nullptr;
    b_ended = b_ended || launch_of_b == nullptr;
  }
  EXPECT_TRUE(a.result().check.passed());
  EXPECT_TRUE(b.result().check.passed());
}

TEST(HostedProgram, CanBeDestroyedDuringALaunchAndBeforeTheFirst) {
  const FunctionalEngine engine;
  const HostedProgram never_resumed(find_workload("bfs"), tiny_options(), engine);
  HostedProgram in_launch(find_workload("bfs"), tiny_options(), engine);
  EXPECT_NE(in_launch.resume(), nullptr);
}

TEST(HostedProgram, RethrowsExceptionsOfTheHostPart) {
  const FunctionalEngine engine;
  RunOptions options = tiny_options();
  options.kernels = device::PtxSource{.file = "none.ptx", .text = "this is no PTX"};
  HostedProgram program(find_workload("bfs"), options, engine);
  EXPECT_THROW(program.resume(), InputError);
}

}  // namespace
}  // namespace heddle::workload::test
