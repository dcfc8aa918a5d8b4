// Runs the workloads on a real NVIDIA GPU: are their results right there, and how long do they
// take?

#include <fmt/format.h>

#include <CLI/CLI.hpp>
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
  std::string json;
};

void print(const Measurement& measurement) {
  const workload::Verdict& verdict = measurement.verdict;
  fmt::print("{}: {} of {} values differ: {}\n", measurement.workload, verdict.differing(),
             verdict.compared(), verdict.passed() ? "passed" : "FAILED");
  for (const workload::Difference& difference : verdict.differences()) {
    fmt::print("  {}: {}, should be {}\n", difference.where, difference.got, difference.want);
  }
  for (const auto& [kernel, time] : measurement.kernels) {
    fmt::print("  {:32} {:6} launches {:14.0f} ns {:14.0f} cycles\n", kernel, time.launches,
               time.nanoseconds, time.nanoseconds * measurement.clock_rate / 1e9);
  }
}

/// True where every workload's result was right.
bool run(const Options& options) {
  const Run asked{.grid = workload::parse_grid_shape(options.grid),
                  .size = workload::parse_size(options.size),
                  .seed = options.seed};
  std::vector<const workload::Workload*> chosen;
  for (const std::string& name : options.names) {
    chosen.push_back(&workload::find_workload(name));
  }
  for (const workload::Workload* workload : chosen) {
    workload->require(asked.grid);
    if (asked.size == workload::Size::paper && !workload->has_paper_size) {
      throw InputError(fmt::format("no paper gives a size for '{}'", workload->name));
    }
  }
  if (chosen.empty()) chosen = workload::all_workloads();
  std::optional<OutputFile> output;
  if (!options.json.empty()) output.emplace(options.json);
  require_gpu();
  nlohmann::ordered_json json = describe_setup(options.repetitions);
  json["workloads"] = nlohmann::ordered_json::array();
  bool passed = true;
  for (const workload::Workload* workload : chosen) {
    if (asked.size == workload::Size::paper && !workload->has_paper_size) continue;
    if (asked.grid == workload::GridShape::resident && !workload->resident) continue;
    const Measurement measurement = measure(*workload, asked, options.repetitions);
    print(measurement);
    passed = passed && measurement.verdict.passed();
    json["workloads"].push_back(to_json(measurement));
    // Written each time, so that what was measured is kept if a later one fails.
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
  app.add_option("names", options.names, "The workloads; all where none is named")
      ->type_name("NAME");
  app.add_option("--grid", options.grid,
                 "Over how many threads the work is laid out: as many as the input asks for, or as "
                 "the GPU holds at once, where the workload has a form for that")
      ->capture_default_str()
      ->type_name("input|resident");
  app.add_option("--size", options.size, "tiny, small, medium, large or paper")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "What the input is made from")->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Timed runs, after one to warm up")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  app.add_option("--json", options.json, "Write what was measured as JSON")->type_name("FILE");
  app.footer(heddle::silicon::kExitCodes);
  return heddle::silicon::run_program(app, argc, argv,
                                      [&] { return heddle::silicon::run(options); });
}
