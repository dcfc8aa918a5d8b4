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

constexpr std::size_t kColumn = 24;

/// All of the shared time, whoever's it was.
Timing timing_of(const SideBySide& done) {
  Timing timing{.kernel = {},
                .cycles = done.shared.cycles.count,
                .counters = done.shared.counters,
                .counters_by_kind = done.shared.counters_by_kind};
  for (const ProgramResult& program : done.programs) {
    timing.launches += program.runs.size();
    timing.warp_instructions += program.warp_instructions();
    timing.thread_instructions += program.thread_instructions();
  }
  // Of one kind the whole says it.
  if (timing.counters_by_kind.size() < 2) timing.counters_by_kind.clear();
  return timing;
}

/// Joules of each program; none where energy was not asked for.
std::vector<double> joules_of(const SideBySide& done, const TimedChip& timed) {
  if (!timed.technology) return {};
  const Timing timing = timing_of(done);
  std::vector<energy::ProgramShare> shares;
  for (const ProgramResult& program : done.programs) {
    shares.push_back(
        {.warp_instructions = program.stream.warp_instructions, .held = program.stream.held});
  }
  return energy::deal_out(account_of(timed, timing), accounts_of_kinds(timed, timing), shares);
}

double joules_alone(const AloneRun& alone, const energy::Technology& technology) {
  const Timing timing = timing_in_all(alone.launches);
  return energy::in_joules(
      energy::account(technology, alone.machine,
                      energy::Counted::of(alone.counters, timing.counters, timing.cycles))
          .total());
}

double held_cycles(const ProgramResult& program) {
  double cycles = 0;
  for (const Cycles held : program.stream.held) cycles += static_cast<double>(held.count);
  return cycles;
}

/// What a program has of all that they all have.
template <class Of>
double share_of(const SideBySide& done, const ProgramResult& program, Of of) {
  double sum = 0;
  for (const ProgramResult& each : done.programs) sum += of(each);
  return sum > 0 ? of(program) / sum : 0;
}

double share_of_instructions(const SideBySide& done, const ProgramResult& program) {
  return share_of(done, program, [](const ProgramResult& each) {
    return static_cast<double>(each.warp_instructions());
  });
}

ordered_json choice_to_json(const ProgramChoice& program) {
  return {{"workload", program.workload->name},
          {"size", workload::name_of(program.size)},
          {"seed", program.seed},
          {"grid", workload::name_of(program.grid)}};
}

ordered_json groups_to_json(const ProgramResult& program, const gpu::Machine& machine) {
  ordered_json groups = ordered_json::array();
  const std::vector<gpu::SmKind> kinds = machine.kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    groups.push_back(
        {{"name", kinds[i].group.empty() ? ordered_json() : ordered_json(kinds[i].group)},
         {"warp_instructions", program.stream.warp_instructions[i]},
         {"thread_instructions", program.stream.thread_instructions[i]},
         {"held_sm_cycles", program.stream.held[i].count}});
  }
  return groups;
}

ordered_json verdict_to_json(const workload::Verdict& verdict) {
  ordered_json json{{"compared", verdict.compared()}, {"differing", verdict.differing()}};
  json["differences"] = ordered_json::array();
  for (const workload::Difference& difference : verdict.differences()) {
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

ordered_json program_to_json(const SideBySide& done, const ProgramResult& program,
                             const TimedChip& timed) {
  ordered_json json = choice_to_json(program.choice);
  json["verified"] = program.wrong_runs == 0;
  json["verification"] = verdict_to_json(program.result.verdict);
  json["runs_completed"] = program.runs.size();
  json["runs_wrong"] = program.wrong_runs;
  json["runs_with_part"] = program.runs_with_part();
  json["runs"] = ordered_json::array();
  for (const CompleteRun& run : program.runs) {
    json["runs"].push_back({{"begin_cycle", run.begin.number},
                            {"end_cycle", run.end.number},
                            {"launches", run.launches},
                            {"cycles", run.cycles},
                            {"warp_instructions", run.warp_instructions},
                            {"thread_instructions", run.thread_instructions}});
  }
  json["warp_instructions"] = program.warp_instructions();
  json["thread_instructions"] = program.thread_instructions();
  json["ipc"] = done.ipc(program);
  json["warp_ipc"] = done.warp_ipc(program);
  json["instruction_share"] = share_of_instructions(done, program);
  json["held_share"] = share_of(done, program, held_cycles);
  json["held_sm_cycles"] = held_cycles(program);
  if (!timed.chip.machine().groups.empty()) {
    json["groups"] = groups_to_json(program, timed.chip.machine());
  }
  if (program.alone) {
    json["alone"] = alone_to_json(*program.alone, timed);
    json["slowdown"] = *done.slowdown(program);
  }
  return json;
}

void print_program(const SideBySide& done, std::size_t index, const std::vector<double>& joules) {
  const ProgramResult& program = done.programs[index];
  const ProgramChoice& choice = program.choice;
  const auto line = [](std::string_view label, const std::string& text) {
    print("  {:{}}{}\n", label, kColumn - 2, text);
  };
  print("program {}: {}, size {}, seed {}\n", index + 1, choice.workload->name,
        workload::name_of(choice.size), choice.seed);
  const auto [shortest, longest] = std::minmax_element(
      program.runs.begin(), program.runs.end(),
      [](const CompleteRun& a, const CompleteRun& b) { return a.cycles < b.cycles; });
  line("runs", fmt::format("{} complete, {:.2f} with the one under way; {} to {} cycles each",
                           program.runs.size(), program.runs_with_part(), shortest->cycles,
                           longest->cycles));
  line("instructions", fmt::format("{} of warps, {} of threads", program.warp_instructions(),
                                   program.thread_instructions()));
  line("instructions a cycle", fmt::format("{:.2f} of threads; {:.3f} of warps", done.ipc(program),
                                           done.warp_ipc(program)));
  line("multiprocessors",
       fmt::format("{:.2f} held on average",
                   held_cycles(program) / static_cast<double>(done.shared.cycles.count)));
  if (program.alone) {
    line("alone",
         fmt::format("{} cycles on {}, {:.2f} thread instructions a cycle; slowdown {:.3f}",
                     program.alone->cycles(), program.alone->machine.name, program.alone->ipc(),
                     *done.slowdown(program)));
  }
  if (!joules.empty()) {
    line("energy", fmt::format("{:.4g} uJ, {:.4g} uJ a run", 1e6 * joules[index],
                               1e6 * joules[index] / program.runs_with_part()));
  }
  const workload::Verdict& verdict = program.result.verdict;
  if (verdict.passed()) {
    line("check", fmt::format("passed: {} values, each run", verdict.compared()));
    return;
  }
  line("check", fmt::format("FAILED in {} of {} runs: {} of {} values differ", program.wrong_runs,
                            program.runs.size(), verdict.differing(), verdict.compared()));
  for (const workload::Difference& difference : verdict.differences()) {
    print("    {}: {}, should be {}\n", difference.where, difference.got, difference.want);
  }
}

}  // namespace

ordered_json side_by_side_header(const SideBySideOptions& options, const TimedChip& timed) {
  ordered_json header{{"schema", "heddle-side-by-side-1"},
                      {"registers", lab::name_of(options.registers)},
                      {"programs", ordered_json::array()}};
  for (const ProgramChoice& program : options.programs) {
    header["programs"].push_back(choice_to_json(program));
  }
  header["machine"] = machine_to_json(timed.chip.machine());
  return header;
}

ordered_json side_by_side_to_json(ordered_json header, const SideBySide& done,
                                  const TimedChip& timed) {
  ordered_json json = std::move(header);
  json["verified"] = done.verified();
  json["programs"] = ordered_json::array();
  const std::vector<double> joules = joules_of(done, timed);
  for (std::size_t i = 0; i < done.programs.size(); ++i) {
    ordered_json program = program_to_json(done, done.programs[i], timed);
    if (!joules.empty()) {
      program["joules"] = joules[i];
      program["joules_a_run"] = joules[i] / done.programs[i].runs_with_part();
    }
    json["programs"].push_back(std::move(program));
  }
  if (const auto speedup = done.weighted_speedup()) {
    json["weighted_speedup"] = *speedup;
    json["harmonic_speedup"] = *done.harmonic_speedup();
    json["fairness"] = *done.fairness();
  }
  json["totals"] = ordered_json::object();
  add_timing(json["totals"], timed, timing_of(done));
  return json;
}

void print_side_by_side(const SideBySide& done, const TimedChip& timed) {
  print("{}", machine_text(timed, {}));
  const std::vector<double> joules = joules_of(done, timed);
  for (std::size_t i = 0; i < done.programs.size(); ++i) print_program(done, i, joules);
  print("side by side\n{}", timing_text(timed, timing_of(done), {.indent = 2}));
  if (const auto speedup = done.weighted_speedup()) {
    print("  {:{}}weighted {:.3f} (mean of IPC side by side by IPC alone), harmonic {:.3f}\n",
          "speedup", kColumn - 2, *speedup, *done.harmonic_speedup());
    print("  {:{}}{:.3f} (least slowdown by the greatest)\n", "fairness", kColumn - 2,
          *done.fairness());
  }
}

}  // namespace heddle
