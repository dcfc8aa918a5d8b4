// Runs some workloads in time on two machines, checks their results and compares the machines.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <future>
#include <string>
#include <vector>

#include "exec/fault/fault.h"
#include "exit_code.h"
#include "suite_run.h"
#include "text_table.h"

namespace heddle::demo {
namespace {

/// Programs that compute, that move data, that diverge, that wait.
constexpr std::array kWorkloads{"bfs",        "black-scholes",   "histogram",
                                "hotspot",    "matrix-multiply", "ray-tracing",
                                "vector-add", "viterbi"};

/// One has the faster clock, the other twice the multiprocessors.
constexpr std::array kMachines{"warpman", "ilp"};

/// For each workload, one run on each machine.
std::vector<SuiteRun> run_all(const std::vector<gpu::Machine>& machines) {
  // All at once: the host's scheduler shares out its processors, and no chip knows of another.
  std::vector<std::future<SuiteRun>> running;
  for (const char* name : kWorkloads) {
    for (const gpu::Machine& machine : machines) {
      running.push_back(std::async(std::launch::async, [name, &machine] {
        return run_on(workload::find_workload(name), machine);
      }));
    }
  }
  std::vector<SuiteRun> runs;
  runs.reserve(running.size());
  for (std::future<SuiteRun>& run : running) runs.push_back(run.get());
  return runs;
}

std::vector<std::string> row_of(const SuiteRun& run) {
  return {run.workload,
          run.machine,
          fmt::format("{:7}", run.cycles),
          fmt::format("{:5.1f}", run.ipc),
          run.occupancy ? fmt::format("{:7.1f} %", 100 * *run.occupancy) : "",
          fmt::format("{:4.1f} % {}", 100 * run.lost, run.lost_to),
          fmt::format("{:6.1f} us", 1e6 * run.seconds),
          run.passed ? "passed" : "FAILED"};
}

void print_runs(const std::vector<SuiteRun>& runs) {
  std::vector<std::vector<std::string>> rows{{"workload", "machine", "cycles", "IPC", "occupancy",
                                              "most slots lost to", "time", "result"}};
  for (const SuiteRun& run : runs) {
    rows.push_back(row_of(run));
    // Its name once.
    if (run.machine != kMachines.front()) rows.back().front().clear();
  }
  print_table(rows);
}

/// `heddle` is how the commands name the program.
void print_what_next(const std::string& heddle) {
  fmt::print(
      "\nWhat to try next:\n"
      "  # Where the cycles of each kernel go.\n"
      "  {0} run histogram --machine warpman\n"
      "  # What one change does to that.\n"
      "  {0} run histogram --machine warpman --set chip.sms=30\n"
      "  # What a machine is made of.\n"
      "  {0} show ilp\n",
      heddle);
}

ExitCode run_suite(const std::string& heddle) {
  std::vector<gpu::Machine> machines;
  machines.reserve(kMachines.size());
  for (const char* name : kMachines) machines.push_back(gpu::load_machine(name));
  fmt::print("{} workloads in time on {} machines:\n", kWorkloads.size(), machines.size());
  for (const gpu::Machine& machine : machines) {
    fmt::print("  {}: {}\n", machine.name, machine.summary);
  }
  fmt::print("\n");
  std::fflush(stdout);

  const auto begin = std::chrono::steady_clock::now();
  const std::vector<SuiteRun> runs = run_all(machines);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  print_runs(runs);

  std::uint64_t instructions = 0;
  for (const SuiteRun& run : runs) instructions += run.warp_instructions;
  const auto passed =
      std::count_if(runs.begin(), runs.end(), [](const auto& r) { return r.passed; });
  const bool good = passed == static_cast<std::ptrdiff_t>(runs.size());
  fmt::print(
      "\n{:.1f} million warp instructions, made, simulated and checked in {:.1f} s\n"
      "check: {} of {} results are what the host computes by itself: {}\n",
      static_cast<double>(instructions) / 1e6, seconds, passed, runs.size(),
      good ? "passed" : "FAILED");
  print_what_next(heddle);
  return good ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace
}  // namespace heddle::demo

int main(int argc, char** argv) {
  using heddle::ExitCode;
  const auto fails = [](const std::exception& error, ExitCode code) {
    fmt::print(stderr, "heddle_demo_suite: {}\n", error.what());
    return static_cast<int>(code);
  };
  if (argc != 2) {
    fmt::print(stderr, "usage: heddle_demo_suite HEDDLE (how to name that program)\n");
    return static_cast<int>(ExitCode::bad_input);
  }
  try {
    return static_cast<int>(heddle::demo::run_suite(argv[1]));
  } catch (const heddle::exec::SimulatedFault& error) {
    return fails(error, ExitCode::simulated_fault);
  } catch (const std::exception& error) {
    return fails(error, ExitCode::bad_input);
  }
}
