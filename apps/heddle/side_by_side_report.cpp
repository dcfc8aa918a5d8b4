#include "side_by_side_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "energy/by_kind.h"
#include "energy_report.h"
#include "print.h"
#include "timing_json.h"
#include "timing_report.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kColumn = 24;  ///< Where the values of the report begin.

/// The counts of all programs together while they shared the chip.
Timing timing_of(const SideBySideResult& result) {
  Timing timing{.kernel = {},
                .cycles = result.shared.cycles.count,
                .counters = result.shared.counters,
                .counters_by_kind = result.shared.counters_by_kind};
  for (const ProgramResult& program : result.programs) {
    timing.warp_instructions += program.warp_instructions();
    timing.thread_instructions += program.thread_instructions();
  }
  // If all multiprocessors are of one kind, its counters would repeat those of the chip.
  if (timing.counters_by_kind.size() < 2) timing.counters_by_kind.clear();
  return timing;
}

/// The energy of each program in joules; empty if energy was not requested.
std::vector<double> joules_of(const SideBySideResult& result, const TimedChip& timed) {
  if (!timed.technology) return {};
  const Timing timing = timing_of(result);
  std::vector<energy::ProgramShare> shares;
  for (const ProgramResult& program : result.programs) {
    shares.push_back({.warp_instructions = program.counts.warp_instructions,
                      .occupied_sm_cycles = program.counts.occupied_sm_cycles});
  }
  return energy::divide_among_programs(account_of(timed, timing), accounts_of_kinds(timed, timing),
                                       shares);
}

double joules_alone(const AloneRun& alone, const energy::Technology& technology) {
  const Timing timing = total_timing(alone.launches);
  return energy::in_joules(energy::account(technology, alone.machine,
                                           energy::RunCounters::from_values(
                                               alone.counters, timing.counters, timing.cycles))
                               .total());
}

/// The cycles in which a multiprocessor had a block of the program, summed over all
/// multiprocessors.
double occupied_sm_cycles(const ProgramResult& program) {
  double sum = 0;
  for (const Cycles cycles : program.counts.occupied_sm_cycles) {
    sum += static_cast<double>(cycles.count);
  }
  return sum;
}

/// `amount_of(program)` divided by the sum of amount_of() over all programs; 0 if the sum is 0.
template <class AmountOf>
double share_of(const SideBySideResult& result, const ProgramResult& program, AmountOf amount_of) {
  double sum = 0;
  for (const ProgramResult& each : result.programs) sum += amount_of(each);
  return sum > 0 ? amount_of(program) / sum : 0;
}

double share_of_instructions(const SideBySideResult& result, const ProgramResult& program) {
  return share_of(result, program, [](const ProgramResult& each) {
    return static_cast<double>(each.warp_instructions());
  });
}

ordered_json choice_to_json(const ProgramChoice& program) {
  return {{"workload", program.workload->name},
          {"size", workload::name_of(program.size)},
          {"seed", program.seed},
          {"grid", workload::name_of(program.grid)}};
}

/// A program's counts on each kind of multiprocessors: those of each group, and those of no group.
ordered_json kinds_to_json(const ProgramResult& program, const gpu::Machine& machine) {
  ordered_json json = ordered_json::array();
  const std::vector<gpu::SmKind> kinds = machine.kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    json.push_back(
        {{"name", kinds[i].group.empty() ? ordered_json() : ordered_json(kinds[i].group)},
         {"warp_instructions", program.counts.warp_instructions[i]},
         {"thread_instructions", program.counts.thread_instructions[i]},
         {"occupied_sm_cycles", program.counts.occupied_sm_cycles[i].count}});
  }
  return json;
}

ordered_json check_to_json(const workload::CheckResult& check) {
  ordered_json json{{"compared", check.compared_count()}, {"differing", check.differing_count()}};
  json["differences"] = ordered_json::array();
  for (const workload::Difference& difference : check.differences()) {
    json["differences"].push_back(
        {{"where", difference.where}, {"got", difference.got}, {"want", difference.want}});
  }
  return json;
}

ordered_json alone_to_json(const AloneRun& alone, const TimedChip& timed) {
  ordered_json json{{"machine", alone.machine.name},
                    {"cycles", alone.cycles()},
                    {"ipc", alone.ipc()},
                    {"warp_ipc", alone.warp_ipc()}};
  if (timed.technology) json["joules"] = joules_alone(alone, *timed.technology);
  return json;
}

ordered_json program_to_json(const SideBySideResult& result, const ProgramResult& program,
                             const TimedChip& timed) {
  ordered_json json = choice_to_json(program.choice);
  json["verified"] = program.wrong_runs == 0;
  json["verification"] = check_to_json(program.result.check);
  json["runs_completed"] = program.runs.size();
  json["runs_wrong"] = program.wrong_runs;
  json["runs_with_fraction"] = program.runs_including_partial();
  json["runs"] = ordered_json::array();
  for (const CompleteRun& run : program.runs) {
    json["runs"].push_back({{"begin_cycle", run.begin.number},
                            {"end_cycle", run.end.number},
                            {"launches", run.launches},
                            {"cycles", run.launch_cycles},
                            {"warp_instructions", run.warp_instructions},
                            {"thread_instructions", run.thread_instructions}});
  }
  json["warp_instructions"] = program.warp_instructions();
  json["thread_instructions"] = program.thread_instructions();
  json["ipc"] = result.ipc(program);
  json["warp_ipc"] = result.warp_ipc(program);
  json["instruction_share"] = share_of_instructions(result, program);
  json["occupied_share"] = share_of(result, program, occupied_sm_cycles);
  json["occupied_sm_cycles"] = occupied_sm_cycles(program);
  if (!timed.chip.machine().groups.empty()) {
    json["groups"] = kinds_to_json(program, timed.chip.machine());
  }
  if (program.alone) {
    json["alone"] = alone_to_json(*program.alone, timed);
    json["slowdown"] = *result.slowdown(program);
  }
  return json;
}

/// `joules`: the energy of each program; empty if energy was not requested.
void print_program(const SideBySideResult& result, std::size_t index,
                   const std::vector<double>& joules) {
  const ProgramResult& program = result.programs[index];
  const ProgramChoice& choice = program.choice;
  const auto line = [](std::string_view label, const std::string& text) {
    print("  {:{}}{}\n", label, kColumn - 2, text);
  };
  print("program {}: {}, size {}, seed {}\n", index + 1, choice.workload->name,
        workload::name_of(choice.size), choice.seed);
  const auto [shortest_run, longest_run] = std::minmax_element(
      program.runs.begin(), program.runs.end(),
      [](const CompleteRun& a, const CompleteRun& b) { return a.launch_cycles < b.launch_cycles; });
  line("runs", fmt::format("{} complete, {:.2f} with the unfinished one; {} to {} cycles each",
                           program.runs.size(), program.runs_including_partial(),
                           shortest_run->launch_cycles, longest_run->launch_cycles));
  line("instructions", fmt::format("{} of warps, {} of threads", program.warp_instructions(),
                                   program.thread_instructions()));
  line("IPC", fmt::format("{:.2f} of threads; {:.3f} of warps", result.ipc(program),
                          result.warp_ipc(program)));
  line("multiprocessors",
       fmt::format("{:.2f} occupied on average",
                   occupied_sm_cycles(program) / static_cast<double>(result.shared.cycles.count)));
  if (program.alone) {
    line("alone",
         fmt::format("{} cycles on {}, thread IPC {:.2f}; slowdown {:.3f}", program.alone->cycles(),
                     program.alone->machine.name, program.alone->ipc(), *result.slowdown(program)));
  }
  if (!joules.empty()) {
    line("energy", fmt::format("{:.4g} uJ, {:.4g} uJ per run", 1e6 * joules[index],
                               1e6 * joules[index] / program.runs_including_partial()));
  }
  const workload::CheckResult& check = program.result.check;
  if (check.passed()) {
    line("check", fmt::format("passed: {} values in each run", check.compared_count()));
    return;
  }
  line("check",
       fmt::format("FAILED in {} of {} runs; {} of {} values differ in the first wrong run",
                   program.wrong_runs, program.runs.size(), check.differing_count(),
                   check.compared_count()));
  for (const workload::Difference& difference : check.differences()) {
    print("    {}: {}, should be {}\n", difference.where, difference.got, difference.want);
  }
}

}  // namespace

ordered_json side_by_side_header(const SideBySideOptions& options, const TimedChip& timed) {
  ordered_json header{{"schema", "heddle-side-by-side-2"},
                      {"registers", lab::name_of(options.registers)},
                      {"programs", ordered_json::array()}};
  for (const ProgramChoice& program : options.programs) {
    header["programs"].push_back(choice_to_json(program));
  }
  header["machine"] = machine_to_json(timed.chip.machine());
  return header;
}

ordered_json side_by_side_to_json(ordered_json header, const SideBySideResult& result,
                                  const TimedChip& timed) {
  ordered_json json = std::move(header);
  json["verified"] = result.is_verified();
  json["programs"] = ordered_json::array();
  const std::vector<double> joules = joules_of(result, timed);
  for (std::size_t i = 0; i < result.programs.size(); ++i) {
    ordered_json program = program_to_json(result, result.programs[i], timed);
    if (!joules.empty()) {
      program["joules"] = joules[i];
      program["joules_per_run"] = joules[i] / result.programs[i].runs_including_partial();
    }
    json["programs"].push_back(std::move(program));
  }
  if (const auto speedup = result.weighted_speedup()) {
    json["weighted_speedup"] = *speedup;
    json["harmonic_speedup"] = *result.harmonic_speedup();
    json["fairness"] = *result.fairness();
  }
  json["totals"] = ordered_json::object();
  add_timing(json["totals"], timed, timing_of(result));
  return json;
}

void print_side_by_side(const SideBySideResult& result, const TimedChip& timed) {
  print("{}", machine_text(timed, {}));
  const std::vector<double> joules = joules_of(result, timed);
  for (std::size_t i = 0; i < result.programs.size(); ++i) print_program(result, i, joules);
  print("side by side\n{}", timing_text(timed, timing_of(result), {.indent = 2}));
  if (const auto speedup = result.weighted_speedup()) {
    print("  {:{}}weighted {:.3f} (mean of IPC side by side / IPC alone), harmonic {:.3f}\n",
          "speedup", kColumn - 2, *speedup, *result.harmonic_speedup());
    print("  {:{}}{:.3f} (smallest slowdown / greatest slowdown)\n", "fairness", kColumn - 2,
          *result.fairness());
  }
}

}  // namespace heddle
