#include "run_side_by_side.h"

#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "option_values.h"
#include "progress.h"
#include "run_outputs.h"
#include "side_by_side_report.h"

namespace heddle {
namespace {

void refuse(bool given, const char* option, const char* why) {
  if (given) throw InputError(fmt::format("{}: {}", option, why));
}

void check_options(const RunVerbOptions& options) {
  constexpr const char* kOfOne = "is of one program; several run side by side";
  constexpr const char* kMixed =
      "what launches count side by side is the chip's, whoever's it was: intervals and warps could "
      "not be told apart";
  refuse(options.machine.machine.empty(), "several programs",
         "they are side by side in time: name a --machine");
  refuse(!options.ptx.empty(), "--ptx", kOfOne);
  refuse(!options.picture.empty(), "--picture", kOfOne);
  refuse(!options.machine.lifetimes.empty(), "--lifetimes", kMixed);
  if (const char* const samples = options.machine.samples.given()) refuse(true, samples, kMixed);
  refuse(options.machine.counters == "each", "--counters each", kMixed);
}

/// As the command line has it for all of them.
ProgramChoice usual_program(const RunVerbOptions& options) {
  return {.size = workload::parse_size(options.size),
          .seed = parse_whole_number("--seed", options.seed),
          .grid = workload::parse_grid_shape(options.grid)};
}

}  // namespace

ExitCode run_side_by_side(const RunVerbOptions& options) {
  check_options(options);
  SideBySideOptions asked{
      .programs = workload::parse_programs(options.name, usual_program(options)),
      .registers = lab::parse_registers(options.registers),
      .alone = !options.no_alone};
  asked.chip.registers = registers_of_programs(asked.registers, asked.programs);
  const RunOutputs outputs(options.json, options.machine);
  Progress progress;
  const std::unique_ptr<TimedChip> timed =
      make_chip(options.machine, options.json, progress, asked.chip.registers);
  const Limits limits = parse_limits(options.machine.limits);
  asked.device.memory = parse_memory_options(options.memory);
  asked.device.max_warp_instructions = limits.warp_instructions;
  asked.device.print = outputs.printer(progress);
  asked.device.notice = RunOutputs::notifier(progress);
  asked.chip.threads = timed->threads;
  asked.chip.max_cycles = limits.cycles;
  asked.progress = [&](const std::string& phase) { progress.show(phase, ""); };

  nlohmann::ordered_json header = side_by_side_header(asked, *timed);
  add_memory(header, options.memory);
  const SideBySide done =
      outputs.simulate([&] { return run_side_by_side(timed->chip, asked); }, progress, timed.get(),
                       [&](const exec::SimulatedFault& fault) {
                         nlohmann::ordered_json json = header;
                         json["verified"] = false;
                         json["fault"] = fault.what();
                         return json;
                       });
  outputs.write({.json = [&] { return side_by_side_to_json(header, done, *timed); },
                 .print_summary = [&] { print_side_by_side(done, *timed); }},
                timed.get());
  return done.verified() ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace heddle
