#include "side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/error.h"
#include "exec/fault/fault.h"
#include "exec/memory/divided_space.h"
#include "program_source.h"

namespace heddle {
namespace {

/// Zero if `whole` is zero.
double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

/// The sum of `instructions_of(launch)` divided by the sum of the launches' cycles.
template <class InstructionsOf>
double per_cycle(const std::vector<gpu::KernelRun>& launches, InstructionsOf instructions_of) {
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  for (const gpu::KernelRun& launch : launches) {
    cycles += launch.cycles.count;
    instructions += instructions_of(launch);
  }
  return ratio(static_cast<double>(instructions), static_cast<double>(cycles));
}

workload::RunOptions run_options(const SideBySideOptions& options, const ProgramChoice& program,
                                 const gpu::Machine& machine) {
  workload::RunOptions run{
      .size = program.size, .seed = program.seed, .grid = program.grid, .device = options.device};
  run.device.compile = compile_options_for(machine, program.workload->kernels_for(program.grid));
  return run;
}

/// Calls work(). If it throws, the message of the exception gets a prefix: the name of the program
/// whose index `current_program` returns.
template <class Work>
auto with_program_name(const std::vector<ProgramChoice>& programs,
                       const std::function<std::optional<std::size_t>()>& current_program,
                       Work work) {
  const auto with_name = [&](const char* what) {
    const std::optional<std::size_t> index = current_program();
    return index ? name_of_program(*index, programs[*index]) + ": " + what
                 : std::string("one of the programs: ") + what;
  };
  try {
    return work();
  } catch (const exec::SimulatedFault& fault) {
    throw exec::SimulatedFault(fault.kind(), with_name(fault.what()));
  } catch (const InputError& error) {
    throw InputError(with_name(error.what()));
  }
}

AloneRun run_alone(const SideBySideOptions& options, std::size_t index,
                   const gpu::Machine& machine) {
  const ProgramChoice& program = options.programs[index];
  gpu::Chip chip(machine, options.chip);
  workload::RunOptions run = run_options(options, program, chip.machine());
  run.device.engine = &chip;
  with_program_name(
      options.programs, [&] { return std::optional(index); },
      [&] { return workload::run_workload(*program.workload, run); });
  return {.machine = machine, .counters = chip.counters(), .launches = chip.runs()};
}

}  // namespace

double AloneRun::ipc() const {
  return per_cycle(launches, [](const auto& launch) { return launch.thread_instructions; });
}
double AloneRun::warp_ipc() const {
  return per_cycle(launches, [](const auto& launch) { return launch.warp_instructions; });
}
std::uint64_t AloneRun::cycles() const {
  std::uint64_t cycles = 0;
  for (const gpu::KernelRun& launch : launches) cycles += launch.cycles.count;
  return cycles;
}

std::uint64_t ProgramResult::warp_instructions() const { return sum(counts.warp_instructions); }
std::uint64_t ProgramResult::thread_instructions() const { return sum(counts.thread_instructions); }

double ProgramResult::runs_including_partial() const {
  std::uint64_t in_complete_runs = 0;
  for (const CompleteRun& run : runs) in_complete_runs += run.thread_instructions;
  const double mean = static_cast<double>(in_complete_runs) / static_cast<double>(runs.size());
  return ratio(static_cast<double>(thread_instructions()), mean);
}

bool SideBySideResult::is_verified() const {
  return std::all_of(programs.begin(), programs.end(),
                     [](const ProgramResult& program) { return program.wrong_runs == 0; });
}

double SideBySideResult::ipc(const ProgramResult& program) const {
  return ratio(static_cast<double>(program.thread_instructions()),
               static_cast<double>(shared.cycles.count));
}
double SideBySideResult::warp_ipc(const ProgramResult& program) const {
  return ratio(static_cast<double>(program.warp_instructions()),
               static_cast<double>(shared.cycles.count));
}

std::optional<double> SideBySideResult::slowdown(const ProgramResult& program) const {
  if (!program.alone) return std::nullopt;
  return ratio(program.alone->ipc(), ipc(program));
}

std::optional<double> SideBySideResult::weighted_speedup() const {
  double speedups = 0;
  for (const ProgramResult& program : programs) {
    if (!program.alone) return std::nullopt;
    speedups += ratio(ipc(program), program.alone->ipc());
  }
  return speedups / static_cast<double>(programs.size());
}

std::optional<double> SideBySideResult::harmonic_speedup() const {
  double slowdowns = 0;
  for (const ProgramResult& program : programs) {
    const std::optional<double> one = slowdown(program);
    if (!one) return std::nullopt;
    slowdowns += *one;
  }
  return ratio(static_cast<double>(programs.size()), slowdowns);
}

std::optional<double> SideBySideResult::fairness() const {
  std::optional<double> least;
  double most = 0;
  for (const ProgramResult& program : programs) {
    const std::optional<double> one = slowdown(program);
    if (!one) return std::nullopt;
    least = std::min(least.value_or(*one), *one);
    most = std::max(most, *one);
  }
  return ratio(least.value_or(0), most);
}

std::string name_of_program(std::size_t index, const ProgramChoice& program) {
  return fmt::format("program {} ({})", index + 1, program.workload->name);
}

SideBySideResult run_side_by_side(gpu::Chip& chip, const SideBySideOptions& options) {
  if (chip.machine().locality.observe) {
    throw InputError("locality.observe: not for programs side by side; run each program alone");
  }
  const auto report = [&](const std::string& phase) {
    if (options.progress) options.progress(phase);
  };
  const std::size_t count = options.programs.size();
  SideBySideResult result;
  {
    const auto space =
        exec::divided_space_for(options.device.memory, static_cast<std::uint32_t>(count));
    std::vector<std::unique_ptr<ProgramSource>> programs;
    std::vector<gpu::LaunchSource*> sources;
    const auto all_complete = [&] {
      return std::all_of(programs.begin(), programs.end(),
                         [](const auto& program) { return !program->runs().empty(); });
    };
    for (std::uint32_t i = 0; i < count; ++i) {
      const ProgramChoice& program = options.programs[i];
      workload::RunOptions run = run_options(options, program, chip.machine());
      run.device.memory.space = space;
      run.device.memory.part = i;
      programs.push_back(
          std::make_unique<ProgramSource>(*program.workload, std::move(run), chip, all_complete));
      sources.push_back(programs.back().get());
    }
    report("simulating");
    result.shared = with_program_name(
        options.programs, [&]() -> std::optional<std::size_t> { return chip.stream_at_fault(); },
        [&] { return chip.run_side_by_side(sources, all_complete); });
    for (std::size_t i = 0; i < count; ++i) {
      result.programs.push_back({.choice = options.programs[i],
                                 .runs = programs[i]->runs(),
                                 .result = programs[i]->result(),
                                 .wrong_runs = programs[i]->wrong_runs(),
                                 .counts = result.shared.streams[i]});
    }
  }
  if (!options.run_each_alone) return result;
  for (std::size_t i = 0; i < count; ++i) {
    report("simulating alone: " + options.programs[i].workload->name);
    result.programs[i].alone = run_alone(
        options, i, options.machines_alone.empty() ? chip.machine() : options.machines_alone.at(i));
  }
  return result;
}

}  // namespace heddle
