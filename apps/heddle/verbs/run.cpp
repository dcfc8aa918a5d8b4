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

void validate_options(const RunVerbOptions& options, const workload::Workload& workload,
                      workload::GridChoice grid, const lab::RegisterChoice& registers) {
  check_register_choice(registers, workload.name, workload.kernels_for(grid));
  if (!options.picture.empty() && !workload.has_picture) {
    throw InputError(fmt::format("--picture: the result of '{}' is not a picture", workload.name));
  }
}

workload::RunOptions run_options(const RunVerbOptions& options, Progress& progress) {
  workload::RunOptions run{.size = workload::parse_size(options.size),
                           .seed = parse_whole_number("--seed", options.seed),
                           .grid = workload::parse_grid_choice(options.grid),
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

/// The result of a run that faulted: its header, the fault, and what was simulated until then.
nlohmann::ordered_json fault_to_json(nlohmann::ordered_json header,
                                     const exec::SimulatedFault& fault, const TimedChip* timed) {
  header["verified"] = false;
  header["fault"] = fault.what();
  if (timed != nullptr) add_unfinished(header, *timed);
  return header;
}

ExitCode run_chosen(const RunVerbOptions& options) {
  if (workload::names_several_programs(options.name)) return run_side_by_side(options);
  if (options.no_alone) {
    throw InputError("--no-alone: only for programs side by side (NAME+NAME)");
  }
  const workload::Workload& workload = workload::find_workload(options.name);
  const lab::RegisterChoice registers = lab::parse_register_choice(options.registers);
  Progress progress;
  workload::RunOptions requested = run_options(options, progress);
  validate_options(options, workload, requested.grid, registers);
  const std::vector<workload::KernelDeclaration>& kernels = workload.kernels_for(requested.grid);
  std::optional<OutputFile> picture;
  if (!options.picture.empty()) picture = output_of("--picture", options.picture);
  RunOutputs outputs(options.json, options.machine);
  requested.device.print = outputs.printer(progress);
  requested.device.notice = RunOutputs::notifier(progress);
  const std::unique_ptr<TimedChip> timed = make_chip(
      options.machine, options.json, progress, residency_registers_by_kernel(registers, kernels));
  requested.device.access_observers = outputs.start_locality(timed.get());
  if (timed) {
    requested.device.engine = &timed->chip;
    requested.device.compile = compile_options_for(timed->chip.machine(), kernels);
  }
  nlohmann::ordered_json header = run_header(workload, requested, registers, timed.get());
  add_memory(header, options.memory);
  const workload::RunResult result = outputs.simulate_or_report_fault(
      [&] { return workload::run_workload(workload, requested); }, progress, timed.get(),
      [&](const exec::SimulatedFault& fault) { return fault_to_json(header, fault, timed.get()); });
  RunOutputs::Results results{
      .json = [&] { return run_to_json(header, result, registers, timed.get()); },
      .print_summary = [&] { print_run(workload, requested, result, registers, timed.get()); }};
  if (picture && result.picture) {
    results.others.emplace_back([&] { picture->write(png_of(*result.picture)); });
  }
  outputs.write(results, timed.get());
  return result.check.passed() ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace

void add_run(CLI::App& app, ExitCode& result) {
  CLI::App* verb =
      app.add_subcommand("run", "Run a workload, or several side by side, and check its result");
  auto options = std::make_shared<RunVerbOptions>();
  verb->add_option(
          "name", options->name,
          "A workload of 'heddle list workloads'. Two to eight, with '+' between them, run "
          "side by side on one chip. Each of these may be followed by its own size, seed, "
          "grid and registers, which replace those of the options")
      ->required()
      ->type_name("NAME|NAME[:SIZE][:SEED][:GRID][:registers=N]+NAME[:...]...");
  verb->add_option("--size", options->size,
                   "Input size: tiny, small, medium, large, or paper if a paper states the size")
      ->capture_default_str()
      ->type_name("SIZE");
  verb->add_option("--seed", options->seed, "Seed of the generated input")
      ->capture_default_str()
      ->type_name("N");
  verb->add_option("--grid", options->grid,
                   "Threads in the grid: 'input': as many as the input needs; 'resident', if the "
                   "workload supports it: as many as the machine holds at once")
      ->capture_default_str()
      ->type_name("input|resident");
  verb->add_option("--registers", options->registers,
                   "Registers per thread that decide how many blocks are resident: as many as the "
                   "compiled code has, as many as a paper states, or N")
      ->capture_default_str()
      ->type_name("compiled|paper|N");
  verb->add_option(
          "--ptx", options->ptx,
          "Run the kernels of this file instead of the workload's; they need the same names and "
          "parameters. Multiply-adds in this file remain with isa.fused_multiply_add=no, too")
      ->type_name("FILE.ptx")
      ->check(file_name());
  verb->add_option("--json", options->json, "Write the result as JSON; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->add_option("--picture", options->picture,
                   "Write the result as a picture, if the workload computes a picture")
      ->type_name("FILE.png")
      ->check(file_name());
  verb->add_flag("--no-alone", options->no_alone,
                 "With programs side by side: do not run each program alone afterwards. The result "
                 "then has no slowdowns or speed-ups");
  add_memory_options(*verb, options->memory);
  add_machine_options(*verb, options->machine);
  verb->footer(
      "With --machine, the simulation is timed, cycle by cycle; without --machine, it is "
      "functional.\n"
      "The result is compared with a result that the host computes. If they differ, the first\n"
      "differences are shown and the exit code is 1.\n"
      "Programs side by side run until each has completed once; a program that completes earlier\n"
      "starts again.\n\n"
      "Examples: heddle run ray-tracing --size medium --picture scene.png\n"
      "          heddle run bfs --machine preexec --set l1.bytes=64K --threads 8\n"
      "          heddle run scan:tiny+matrix-multiply:small:7 --machine ilp --set "
      "dispatch.policy=even-split");
  verb->callback([options, &result] { result = run_chosen(*options); });
}

}  // namespace heddle
