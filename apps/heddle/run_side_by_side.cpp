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

/// Throws InputError if an option is given that is not available.
void reject_if(bool is_given, const char* option, const char* why) {
  if (is_given) throw InputError(fmt::format("{}: {}", option, why));
}

void validate_options(const RunVerbOptions& options) {
  constexpr const char* kOneProgram = "applies to one program, not to programs side by side";
  constexpr const char* kCountersAreSums =
      "not available for programs side by side: the chip's counters are sums over all programs; "
      "run "
      "each program alone";
  reject_if(options.machine.machine.empty(), "several programs",
            "need --machine to run side by side");
  reject_if(!options.ptx.empty(), "--ptx", kOneProgram);
  reject_if(!options.picture.empty(), "--picture", kOneProgram);
  reject_if(!options.machine.lifetimes.empty(), "--lifetimes", kCountersAreSums);
  if (const char* const samples = options.machine.samples.given_option()) {
    reject_if(true, samples, kCountersAreSums);
  }
  if (const char* const locality = options.machine.locality.given_option()) {
    reject_if(true, locality, "not available for programs side by side; run each program alone");
  }
  reject_if(options.machine.counters == "each", "--counters each", kCountersAreSums);
}

/// The size, seed and grid of those programs whose names state none.
ProgramChoice default_program(const RunVerbOptions& options) {
  return {.size = workload::parse_size(options.size),
          .seed = parse_whole_number("--seed", options.seed),
          .grid = workload::parse_grid_choice(options.grid)};
}

}  // namespace

ExitCode run_side_by_side(const RunVerbOptions& options) {
  validate_options(options);
  SideBySideOptions requested{
      .programs = workload::parse_programs(options.name, default_program(options)),
      .registers = lab::parse_register_choice(options.registers),
      .run_each_alone = !options.no_alone};
  requested.chip.registers = registers_of_programs(requested.registers, requested.programs);
  const RunOutputs outputs(options.json, options.machine);
  Progress progress;
  const std::unique_ptr<TimedChip> timed =
      make_chip(options.machine, options.json, progress, requested.chip.registers);
  const Limits limits = parse_limits(options.machine.limits);
  requested.device.memory = parse_memory_options(options.memory);
  requested.device.max_warp_instructions = limits.warp_instructions;
  requested.device.print = outputs.printer(progress);
  requested.device.notice = RunOutputs::notifier(progress);
  requested.chip.threads = timed->threads;
  requested.chip.max_cycles = limits.cycles;
  requested.progress = [&](const std::string& phase) { progress.show(phase, ""); };

  nlohmann::ordered_json header = side_by_side_header(requested, *timed);
  add_memory(header, options.memory);
  const SideBySideResult result = outputs.simulate_or_report_fault(
      [&] { return run_side_by_side(timed->chip, requested); }, progress, timed.get(),
      [&](const exec::SimulatedFault& fault) {
        nlohmann::ordered_json json = header;
        json["verified"] = false;
        json["fault"] = fault.what();
        return json;
      });
  outputs.write({.json = [&] { return side_by_side_to_json(header, result, *timed); },
                 .print_summary = [&] { print_side_by_side(result, *timed); }},
                timed.get());
  return result.is_verified() ? ExitCode::done : ExitCode::check_failed;
}

}  // namespace heddle
