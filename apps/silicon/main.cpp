// Runs the workloads on a real NVIDIA GPU, checks their results and measures their times.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>

#include "base/error.h"
#include "base/output_file.h"
#include "measurement.h"
#include "program.h"

namespace heddle::silicon {
namespace {

struct Options {
  std::vector<std::string> names;
  std::string grid = "input";
  std::string size = "small";
  std::uint64_t seed = 1;
  int repetitions = 5;
  int clock_milliseconds = 50;
  std::string json;
};

void print(const Measurement& measurement) {
  const workload::CheckResult& check = measurement.check;
  fmt::print("{}: {} of {} values differ: {}\n", measurement.workload, check.differing_count(),
             check.compared_count(), check.passed() ? "passed" : "FAILED");
  for (const workload::Difference& difference : check.differences()) {
    fmt::print("  {}: {}, should be {}\n", difference.where, difference.got, difference.want);
  }
  for (const auto& [kernel, time] : measurement.kernels) {
    fmt::print("  {:32} {:6} launches {:14.0f} ns {:14.0f} cycles\n", kernel, time.launches,
               time.nanoseconds, time.nanoseconds * measurement.clock_rate / 1e9);
  }
}

/// Returns whether the results of all workloads were correct.
bool run(const Options& options) {
  const Run requested{.grid = workload::parse_grid_choice(options.grid),
                      .size = workload::parse_size(options.size),
                      .seed = options.seed};
  std::vector<const workload::Workload*> chosen;
  for (const std::string& name : options.names) {
    chosen.push_back(&workload::find_workload(name));
  }
  for (const workload::Workload* workload : chosen) {
    workload->require(requested.grid);
    if (requested.size == workload::Size::paper && !workload->has_paper_size) {
      throw InputError(fmt::format("no paper gives a size for '{}'", workload->name));
    }
  }
  if (chosen.empty()) chosen = workload::all_workloads();
  std::optional<OutputFile> output;
  if (!options.json.empty()) output.emplace(options.json);
  require_gpu();
  nlohmann::ordered_json json = describe_setup(options.repetitions);
  const Method method{.repetitions = options.repetitions,
                      .clock_time = std::chrono::milliseconds(options.clock_milliseconds)};
  json["workloads"] = nlohmann::ordered_json::array();
  bool passed = true;
  for (const workload::Workload* workload : chosen) {
    if (requested.size == workload::Size::paper && !workload->has_paper_size) continue;
    if (requested.grid == workload::GridChoice::resident && !workload->resident) continue;
    const Measurement measurement = measure(*workload, requested, method);
    print(measurement);
    passed = passed && measurement.check.passed();
    json["workloads"].push_back(to_json(measurement));
    // Written after each workload, so that its measurement is kept if a later one fails.
    if (output) output->write(json.dump(2) + "\n");
  }
  return passed;
}

}  // namespace
}  // namespace heddle::silicon

int main(int argc, char** argv) {
  heddle::silicon::Options options;
  CLI::App app{"Runs Heddle's workloads on a real NVIDIA GPU, checks and times them.",
               "heddle_silicon"};
  app.add_option("names", options.names, "The workloads (default: all)")->type_name("NAME");
  app.add_option(
         "--grid", options.grid,
         "Threads in the grid: as many as the input needs, or, if the workload supports it, "
         "as many as the GPU holds at once")
      ->capture_default_str()
      ->type_name("input|resident");
  app.add_option("--size", options.size, "Input size: tiny, small, medium, large or paper")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the generated input")->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Timed runs, after one run to warm up")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--clock-ms", options.clock_milliseconds,
                 "How long the clock is measured after each workload's last run, in milliseconds")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--json", options.json, "Write the measurements as JSON")->type_name("FILE");
  app.footer(std::string(heddle::silicon::kExitCodes) +
             "\n\nExamples: heddle_silicon reduction --size small\n"
             "          heddle_silicon --json silicon.json");
  return heddle::silicon::run_program(app, argc, argv,
                                      [&] { return heddle::silicon::run(options); });
}
