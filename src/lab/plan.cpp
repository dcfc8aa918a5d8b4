#include "lab/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "gpu/check_constructible.h"
#include "gpu/chip.h"
#include "lab/cost_measures.h"
#include "lab/energy_measures.h"
#include "lab/measures.h"
#include "lab/run_key.h"
#include "workload/program_choice.h"

namespace heddle::lab {
namespace {

/// Calls `action` and adds the variant's name to the message of an InputError.
template <class Action>
decltype(auto) with_variant_in_errors(const Experiment& experiment, const Overrides& overrides,
                                      const Variant& variant, const Row& row, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    const std::string for_row =
        row.settings.empty() ? "" : fmt::format(" for workload '{}'", row.label);
    throw InputError(fmt::format("{}: variant '{}'{}{}: {}", experiment.file, variant.name, for_row,
                                 overrides.settings.empty() ? "" : " with the settings of --set",
                                 error.what()));
  }
}

/// Says how an experiment can obtain a measure that it lacks; empty for an unknown measure.
std::string how_to_measure(const Plan& plan, std::size_t programs, const std::string& name) {
  const auto is_in = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_in(energy_measures()) ||
      (programs > 1 && !plan.technology && is_in(energy_measures_of_programs(programs)))) {
    return "energy needs a 'technology' in the experiment";
  }
  if (is_in(locality_measures())) return "locality needs a machine with locality.observe=yes";
  const char* const table = is_in(chip_model_measures()) ? "[chip_model]"
                            : is_in(area_measures())     ? "[[area]]"
                                                         : nullptr;
  if (table == nullptr) return "";
  return plan.technology
             ? fmt::format("technology '{}' declares no {}", plan.technology->name, table)
             : fmt::format("the experiment must name a 'technology' with {}", table);
}

/// The number of programs that run side by side; 1 for a single workload.
std::size_t programs_of(const Row& row) {
  if (row.programs.empty()) return 1;
  return workload::parse_programs(row.programs, {.size = row.size, .grid = row.grid}).size();
}

/// The names of all measures of a row's runs on a machine with these counters.
std::vector<std::string> known_measures(const Plan& plan, const Row& row,
                                        const std::vector<gpu::CounterName>& counters) {
  std::vector<std::string> known = measures_of_every_run();
  if (!row.programs.empty()) {
    for (std::string& name : measures_of_programs(programs_of(row))) {
      known.push_back(std::move(name));
    }
  }
  const auto add = [&](const std::vector<std::string>& names) {
    known.insert(known.end(), names.begin(), names.end());
  };
  for (const gpu::CounterName& counter : counters) known.push_back(counter.name);
  add(storage_measures());
  if (plan.technology) {
    add(energy_measures());
    if (!row.programs.empty()) add(energy_measures_of_programs(programs_of(row)));
    if (plan.technology->chip_model) add(chip_model_measures());
    if (!plan.technology->areas.empty()) add(area_measures());
  }
  return known;
}

/// Throws InputError unless the variant's machine has every measure that a metric of the experiment
/// uses. Metrics of claims about other variants count, too, because otherwise cells would be empty
/// without explanation.
void check_metrics(const Experiment& experiment, const Plan& plan, const Variant& variant,
                   const Row& row, const gpu::Machine& machine) {
  std::vector<std::string> known = known_measures(plan, row, gpu::counters_of(machine));
  if (machine.locality.observe) {
    for (std::string& name : locality_measures()) known.push_back(std::move(name));
  }
  const auto check = [&](const Metric& metric) {
    for (const std::string& name : metric.names()) {
      if (std::find(known.begin(), known.end(), name) != known.end()) {
        if (const std::string why = why_no_storage_measure(machine, name); !why.empty()) {
          throw InputError(fmt::format("{}: metric '{}': variant '{}': {}", experiment.file,
                                       shortened(metric.text()), variant.name, why));
        }
        continue;
      }
      if (const std::string how = how_to_measure(plan, programs_of(row), name); !how.empty()) {
        throw InputError(
            fmt::format("{}: metric '{}': {}", experiment.file, shortened(metric.text()), how));
      }
      throw InputError(fmt::format("{}: metric '{}': variant '{}' counts no '{}'{}",
                                   experiment.file, shortened(metric.text()), variant.name,
                                   shortened(name), suggestion(name, known)));
    }
  };
  check(experiment.metric);
  for (const Part& part : experiment.parts) check(part.metric);
  for (const Claim& claim : experiment.claims) {
    if (claim.metric) check(*claim.metric);
  }
}

}  // namespace

std::string RunRequest::title() const {
  std::string text = fmt::format("{} on {}", workload_name(), machine.name);
  if (!settings.empty()) text += fmt::format(" with {}", fmt::join(settings, " "));
  return text;
}

std::string RunRequest::full_title() const {
  return fmt::format("{} ({}, {}row '{}', variant '{}', run {})", title(), workload::name_of(size),
                     has_other_seeds ? fmt::format("seed {}, ", seed) : "", row, variant,
                     short_key(key));
}

namespace {

/// Appends the sources in `more` that `version` does not contain yet. Both are lists separated by
/// spaces.
void add_sources(std::string& version, const std::string& more) {
  std::istringstream parts(more);
  for (std::string part; parts >> part;) {
    if ((" " + version + " ").find(" " + part + " ") == std::string::npos) version += " " + part;
  }
}

/// A machine with its settings applied, and the texts that it contributes to a run's key.
struct ResolvedMachine {
  gpu::Machine machine;
  std::string parameters;
  std::string version;
};

/// Loads each combination of a machine and settings once, although many rows use it.
class MachineLoader {
 public:
  explicit MachineLoader(const Sources& sources) : sources_(sources) {}

  const ResolvedMachine& load(const std::string& name, const std::vector<std::string>& settings) {
    const auto key = std::pair(name, settings);
    const auto found = loaded_.find(key);
    if (found != loaded_.end()) return found->second;
    const gpu::Machine machine = gpu::load_machine(name, settings);
    return loaded_
        .emplace(key,
                 ResolvedMachine{machine, parameters_of(machine), sources_.version_of(machine)})
        .first->second;
  }

 private:
  const Sources& sources_;
  std::map<std::pair<std::string, std::vector<std::string>>, ResolvedMachine> loaded_;
};

/// The run of a cell, still without seed and key.
RunRequest request_of(const Experiment& experiment, const Plan& plan, const Variant& variant,
                      const Row& row, MachineLoader& machines) {
  const Overrides& overrides = plan.overrides;
  const workload::ProgramChoice program = variant.program_of(row);
  RunRequest request{.workload = program.workload,
                     .programs = row.programs,
                     .size = overrides.size.value_or(program.size),
                     .registers = row.registers,
                     .grid = program.grid,
                     .settings = variant.settings,
                     .row = row.label,
                     .variant = variant.name};
  if (program.registers) {
    request.registers = {.source = RegisterChoice::Source::given, .count = *program.registers};
  }
  for (const auto* const settings : {&row.settings, &overrides.settings}) {
    request.settings.insert(request.settings.end(), settings->begin(), settings->end());
  }
  const ResolvedMachine& resolved = with_variant_in_errors(
      experiment, overrides, variant, row,
      [&]() -> const ResolvedMachine& { return machines.load(variant.machine, request.settings); });
  request.machine = resolved.machine;
  request.parameters = resolved.parameters;
  request.version = resolved.version;
  // Rows without settings share the first row's machine, which has been checked already.
  const Row& first_row = experiment.rows.front();
  if (&row == &first_row || !row.settings.empty() || !first_row.substitutes.empty() ||
      programs_of(row) != programs_of(first_row)) {
    with_variant_in_errors(experiment, overrides, variant, row,
                           [&] { gpu::check_constructible(request.machine); });
    check_metrics(experiment, plan, variant, row, request.machine);
  }
  for (const AloneMachine& alone : experiment.machines_alone) {
    std::vector<std::string> settings = alone.settings;
    for (const auto* const more : {&row.settings, &overrides.settings}) {
      settings.insert(settings.end(), more->begin(), more->end());
    }
    const ResolvedMachine& other = with_variant_in_errors(
        experiment, overrides, variant, row,
        [&]() -> const ResolvedMachine& { return machines.load(alone.machine, settings); });
    request.machines_alone.push_back(other.machine);
    add_sources(request.version, other.version);
  }
  return request;
}

/// The concatenated PTX of all programs of a run, in each form that one of its machines executes.
std::string ptx_of(const RunRequest& run) {
  std::vector<const workload::Workload*> workloads;
  if (run.programs.empty()) {
    workloads.push_back(run.workload);
  } else {
    for (const workload::ProgramChoice& program :
         workload::parse_programs(run.programs, {.size = run.size, .grid = run.grid})) {
      workloads.push_back(program.workload);
    }
  }
  std::set<code::MultiplyAdd> forms{run.machine.isa.multiply_add()};
  for (const gpu::Machine& machine : run.machines_alone) forms.insert(machine.isa.multiply_add());
  std::string ptx;
  for (const code::MultiplyAdd form : forms) {
    for (const workload::Workload* workload : workloads) ptx += workload::ptx_of(*workload, form);
  }
  return ptx;
}

std::string key_of(const RunRequest& run) {
  std::vector<std::string> parameters_alone;
  for (const gpu::Machine& machine : run.machines_alone) {
    parameters_alone.push_back(parameters_of(machine));
  }
  const std::string ptx = ptx_of(run);
  return run_key({.workload = run.workload_name(),
                  .ptx = ptx,
                  .size = run.size,
                  .seed = run.seed,
                  .registers = run.registers,
                  .grid = run.grid,
                  .parameters = run.parameters,
                  .parameters_alone = parameters_alone,
                  .version = run.version});
}

}  // namespace

Plan plan_runs(const Experiment& experiment, const Overrides& overrides, const Sources& sources) {
  Plan plan{.seeds = overrides.seeds.value_or(experiment.seeds), .overrides = overrides};
  if (!experiment.technology.empty()) {
    plan.technology = energy::load_technology(experiment.technology);
  }
  MachineLoader machines(sources);
  std::vector<RunRequest> table;
  for (const Row& row : experiment.rows) {
    for (const Variant& variant : experiment.variants) {
      if (!variant.is_simulated()) continue;
      const std::string* const substitute = row.substitute_of(variant.name);
      const Variant& run =
          substitute ? experiment.variants[experiment.variant_index(*substitute)] : variant;
      const workload::ProgramChoice program = run.program_of(row);
      if (row.programs.empty() && overrides.size.value_or(program.size) == workload::Size::paper &&
          !program.workload->has_paper_size) {
        throw InputError(fmt::format("{}: no paper gives a size for '{}'", experiment.file,
                                     program.workload->name));
      }
      table.push_back(request_of(experiment, plan, run, row, machines));
    }
  }
  for (std::uint64_t i = 0; i < plan.seeds; ++i) {
    for (const RunRequest& cell : table) {
      RunRequest& run = plan.cells.emplace_back(cell);
      run.seed = experiment.seed + i;
      run.has_other_seeds = plan.seeds > 1;
      run.key = key_of(run);
    }
  }
  return plan;
}

}  // namespace heddle::lab
