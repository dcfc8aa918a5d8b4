#include "workload/run.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/picture.h"
#include "exec/fault/fault.h"
#include "json_output.h"
#include "machine_options.h"
#include "option_values.h"
#include "progress.h"
#include "residency_choice.h"
#include "run_report.h"
#include "timing_json.h"
#include "verbs/verbs.h"

namespace heddle {
namespace {

struct Options {
  std::string name;
  std::string size = "small";
  std::string seed = "1";
  std::string registers = "compiled";
  std::string ptx;
  std::string json;
  std::string picture;
  std::string max_instructions;
  MachineOptions machine;
};

/// Writes what is asked for, as much of it as can be written; then throws what could not.
void write_outputs(const Options& options, const workload::RunResult& result,
                   const nlohmann::ordered_json& header, const RegisterChoice& registers,
                   const TimedChip* timed) {
  std::optional<InputError> failed;
  const auto attempt = [&](const auto& write) {
    try {
      write();
    } catch (const InputError& error) {
      if (!failed) failed = error;
    }
  };
  if (!options.picture.empty() && result.picture) {
    attempt([&] { write_png(*result.picture, options.picture); });
  }
  if (!options.json.empty()) {
    attempt([&] { write_json(run_to_json(header, result, registers, timed), options.json); });
  }
  if (!options.machine.lifetimes.empty()) {
    attempt([&] { write_lifetimes(options.machine, timed->chip.runs()); });
  }
  attempt([&] { finish_trace(timed); });
  if (failed) throw *failed;
}

/// The fault is what the user must hear of, even where the file for it cannot be written.
void write_fault(nlohmann::ordered_json json, const exec::SimulatedFault& fault,
                 const std::string& file, const TimedChip* timed) {
  json["verified"] = false;
  json["fault"] = fault.what();
  if (timed != nullptr) add_unfinished(json, *timed);
  try {
    write_json(json, file);
  } catch (const InputError& error) {
    fmt::print(stderr, "heddle: {}\n", error.what());
  }
}

ExitCode run(const Options& options) {
  const workload::Workload& workload = workload::find_workload(options.name);
  const RegisterChoice registers = parse_register_choice(options.registers);
  check_register_choice(registers, workload);
  if (!options.picture.empty() && !workload.has_picture) {
    throw InputError(fmt::format("--picture: the result of '{}' is no picture", workload.name));
  }
  if (options.picture == "-") throw InputError("--picture: a picture goes to a file");
  Progress progress;
  workload::RunOptions run_options{
      .size = workload::parse_size(options.size),
      .seed = parse_whole_number("--seed", options.seed),
      .progress = [&](std::string_view phase, std::string_view detail) {
        progress.tell(phase, detail);
      }};
  if (!options.max_instructions.empty()) {
    run_options.device.max_warp_instructions =
        parse_whole_number("--max-instructions", options.max_instructions, 1);
  }
  if (!options.ptx.empty()) {
    run_options.kernels = device::PtxSource{.file = options.ptx, .text = read_file(options.ptx)};
  }
  const std::unique_ptr<TimedChip> timed =
      make_chip(options.machine, options.json, progress, registers_by_kernel(registers, workload));
  if (timed) {
    run_options.device.engine = &timed->chip;
    run_options.device.compile.registers_of_kernel =
        registers_that_fit(timed->chip.machine(), workload);
  }
  nlohmann::ordered_json header = run_header(workload, run_options, registers, timed.get());
  workload::RunResult result;
  try {
    result = workload::run_workload(workload, run_options);
  } catch (const exec::SimulatedFault& fault) {
    progress.clear();
    finish_trace_or_tell(timed.get());
    if (!options.json.empty()) write_fault(std::move(header), fault, options.json, timed.get());
    throw;
  }
  progress.clear();
  if (options.json != "-") print_run(workload, run_options, result, registers, timed.get());
  write_outputs(options, result, header, registers, timed.get());
  return result.verdict.passed() ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace

void add_run(CLI::App& app, ExitCode& result) {
  CLI::App* verb =
      app.add_subcommand("run", "Run one of the workloads on the simulator and check its result");
  auto options = std::make_shared<Options>();
  verb->add_option("name", options->name, "The workload; 'heddle list workloads' shows all")
      ->required()
      ->type_name("NAME");
  verb->add_option("--size", options->size,
                   "tiny, small, medium, large, or paper where a paper gives its size")
      ->capture_default_str()
      ->type_name("SIZE");
  verb->add_option("--seed", options->seed, "What the input is made from")
      ->capture_default_str()
      ->type_name("N");
  verb->add_option("--registers", options->registers,
                   "Whose registers a thread decide how many blocks are resident on an SM: those "
                   "of the compiled code, those that a paper gives, or this many")
      ->capture_default_str()
      ->type_name("compiled|paper|N");
  verb->add_option(
          "--ptx", options->ptx,
          "Run these kernels in place of the workload's own; the same names and parameters")
      ->type_name("FILE.ptx")
      ->check(file_name());
  verb->add_option("--json", options->json, "Write the result as JSON; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->add_option("--picture", options->picture, "Write the result as a picture, where it is one")
      ->type_name("FILE.png")
      ->check(file_name());
  verb->add_option("--max-instructions", options->max_instructions,
                   "Stop with a fault when a launch has taken this many warp instructions")
      ->type_name("N");
  add_machine_options(*verb, options->machine);
  verb->footer(
      "With --machine the run is simulated in time; without, only what the program computes is.\n"
      "The result is compared with what the host computes by itself; where they differ, the first\n"
      "differences are shown and the exit code is 1.\n\n"
      "Example: heddle run ray-tracing --size medium --picture scene.png\n"
      "         heddle run bfs --machine preexec --set l1.bytes=64K --threads 8");
  verb->callback([options, &result] { result = run(*options); });
}

}  // namespace heddle
