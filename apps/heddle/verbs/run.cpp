#include "workload/run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/picture.h"
#include "exec/fault/fault.h"
#include "machine_options.h"
#include "memory_options.h"
#include "option_values.h"
#include "progress.h"
#include "residency_choice.h"
#include "run_outputs.h"
#include "run_report.h"
#include "run_side_by_side.h"
#include "timing_json.h"
#include "verbs/verbs.h"
#include "workload/program_choice.h"

namespace heddle {
namespace {

void check_run(const RunVerbOptions& options, const workload::Workload& workload,
               workload::GridShape grid, const lab::Registers& registers) {
  check_register_choice(registers, workload.name, workload.kernels_for(grid));
  if (!options.picture.empty() && !workload.has_picture) {
    throw InputError(fmt::format("--picture: the result of '{}' is no picture", workload.name));
  }
}

workload::RunOptions run_options(const RunVerbOptions& options, Progress& progress) {
  workload::RunOptions run{.size = workload::parse_size(options.size),
                           .seed = parse_whole_number("--seed", options.seed),
                           .grid = workload::parse_grid_shape(options.grid),
                           .progress = [&](std::string_view phase, std::string_view detail) {
                             progress.show(phase, detail);
                           }};
  run.device.memory = parse_memory_options(options.memory);
  run.device.max_warp_instructions = parse_limits(options.machine.limits).warp_instructions;
  if (!options.ptx.empty()) {
    run.kernels = device::PtxSource{.file = options.ptx, .text = read_file(options.ptx)};
  }
  return run;
}

nlohmann::ordered_json fault_to_json(nlohmann::ordered_json header,
                                     const exec::SimulatedFault& fault, const TimedChip* timed) {
  header["verified"] = false;
  header["fault"] = fault.what();
  if (timed != nullptr) add_unfinished(header, *timed);
  return header;
}

ExitCode run_chosen(const RunVerbOptions& options) {
  if (workload::names_several(options.name)) return run_side_by_side(options);
  if (options.no_alone) {
    throw InputError("--no-alone: only programs side by side (NAME+NAME) are run alone besides");
  }
  const workload::Workload& workload = workload::find_workload(options.name);
  const lab::Registers registers = lab::parse_registers(options.registers);
  Progress progress;
  workload::RunOptions asked = run_options(options, progress);
  check_run(options, workload, asked.grid, registers);
  const std::vector<workload::KernelShape>& kernels = workload.kernels_for(asked.grid);
  std::optional<OutputFile> picture;
  if (!options.picture.empty()) picture = output_of("--picture", options.picture);
  const RunOutputs outputs(options.json, options.machine);
  asked.device.print = outputs.printer(progress);
  asked.device.notice = RunOutputs::notifier(progress);
  const std::unique_ptr<TimedChip> timed =
      make_chip(options.machine, options.json, progress, registers_by_kernel(registers, kernels));
  if (timed) {
    asked.device.engine = &timed->chip;
    asked.device.compile = compile_options_for(timed->chip.machine(), kernels);
  }
  nlohmann::ordered_json header = run_header(workload, asked, registers, timed.get());
  add_memory(header, options.memory);
  const workload::RunResult result = outputs.simulate(
      [&] { return workload::run_workload(workload, asked); }, progress, timed.get(),
      [&](const exec::SimulatedFault& fault) { return fault_to_json(header, fault, timed.get()); });
  RunOutputs::Results results{
      .json = [&] { return run_to_json(header, result, registers, timed.get()); },
      .print_summary = [&] { print_run(workload, asked, result, registers, timed.get()); }};
  if (picture && result.picture) {
    results.others.emplace_back([&] { picture->write(png_of(*result.picture)); });
  }
  outputs.write(results, timed.get());
  return result.verdict.passed() ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace

void add_run(CLI::App& app, ExitCode& result) {
  CLI::App* verb =
      app.add_subcommand("run", "Run one of the workloads on the simulator and check its result");
  auto options = std::make_shared<RunVerbOptions>();
  verb->add_option("name", options->name,
                   "The workload; 'heddle list workloads' shows all. Two to eight run side by side "
                   "on one chip, each with its own size, seed and grid if it is to differ")
      ->required()
      ->type_name("NAME|NAME[:SIZE][:SEED]+NAME...");
  verb->add_option("--size", options->size,
                   "tiny, small, medium, large, or paper where a paper gives its size")
      ->capture_default_str()
      ->type_name("SIZE");
  verb->add_option("--seed", options->seed, "What the input is made from")
      ->capture_default_str()
      ->type_name("N");
  verb->add_option("--grid", options->grid,
                   "Over how many threads the work is laid out: as many as the input asks for, or "
                   "as the machine holds at once, where the workload has a form for that")
      ->capture_default_str()
      ->type_name("input|resident");
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
  verb->add_flag("--no-alone", options->no_alone,
                 "Of programs side by side: do not run each alone, too, for what they lost");
  add_memory_options(*verb, options->memory);
  add_machine_options(*verb, options->machine);
  verb->footer(
      "With --machine the run is simulated in time; without, only what the program computes is.\n"
      "The result is compared with what the host computes by itself; where they differ, the first\n"
      "differences are shown and the exit code is 1.\n"
      "Programs side by side run until each has ended once; those that are done before start "
      "again.\n\n"
      "Example: heddle run ray-tracing --size medium --picture scene.png\n"
      "         heddle run bfs --machine preexec --set l1.bytes=64K --threads 8\n"
      "         heddle run scan:tiny+matrix-multiply:small:7 --machine ilp --set "
      "dispatch.policy=even-split");
  verb->callback([options, &result] { result = run_chosen(*options); });
}

}  // namespace heddle
