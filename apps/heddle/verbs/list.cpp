#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "area_list.h"
#include "base/error.h"
#include "base/nearest.h"
#include "json_output.h"
#include "lab/experiment.h"
#include "lab/suite.h"
#include "machine_figures.h"
#include "machine_options.h"
#include "option_values.h"
#include "print.h"
#include "storage_list.h"
#include "technology_lists.h"
#include "text_table.h"
#include "timing_json.h"
#include "trace/event.h"
#include "verbs/verbs.h"
#include "workload_list.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;

struct ListOptions {
  std::string what;
  std::string suite;
  std::string technology;
  MachineOptions machine;
  std::string json;
};

void list_workloads(const ListOptions& options) {
  if (options.suite.empty()) {
    print_table(rows_of_workloads());
    return;
  }
  const lab::Suite suite = lab::load_suite(options.suite);
  print_table(rows_of_workloads(suite));
  if (suite.unnamed_programs != 0) {
    print("and {} programs that the paper does not name\n", suite.unnamed_programs);
  }
}

void list_suites(const ListOptions&) {
  std::vector<std::vector<std::string>> rows{{"SUITE", "PROGRAMS", "AVAILABLE", "TABLE", "PAPER"}};
  for (const lab::KnownSuite& known : lab::known_suites()) {
    const lab::Suite suite = lab::load_suite(std::string(known.name));
    rows.push_back({suite.name, std::to_string(suite.program_count()),
                    std::to_string(suite.count_runnable()), suite.table, suite.paper});
  }
  print_table(rows);
}

void list_machines(const ListOptions&) {
  std::vector<std::vector<std::string>> rows{{"MACHINE", "DESCRIPTION"}};
  for (const gpu::KnownMachine& machine : gpu::known_machines()) {
    rows.push_back({std::string(machine.name), machine.summary()});
  }
  print_table(rows);
}

void list_experiments(const ListOptions&) {
  std::vector<std::vector<std::string>> rows{
      {"EXPERIMENT", "WORKLOADS", "VARIANTS", "CLAIMS", "REPRODUCES", "DESCRIPTION"}};
  for (const lab::KnownExperiment& known : lab::known_experiments()) {
    const lab::Experiment experiment = lab::load_experiment(std::string(known.name));
    rows.push_back({experiment.name, std::to_string(experiment.rows.size()),
                    std::to_string(experiment.variants.size()),
                    std::to_string(experiment.claims.size()),
                    experiment.figure.empty() ? "-" : experiment.figure, experiment.title});
  }
  print_table(rows);
}

/// The machine that the options name. Without --machine: a machine without a name, whose parameters
/// all have their defaults.
gpu::Machine machine_of(const ListOptions& options) {
  if (!options.machine.machine.empty()) {
    return gpu::load_machine(options.machine.machine, options.machine.settings);
  }
  if (!options.machine.settings.empty()) throw InputError("--set: needs --machine");
  return {};
}

ordered_json parameter_to_json(const config::Parameter& parameter) {
  ordered_json json{{"name", parameter.name}, {"type", parameter.type()}};
  if (!parameter.domain.unit.empty()) json["unit"] = parameter.domain.unit;
  json["value"] = value_to_json(parameter);
  if (!parameter.choices.empty()) {
    json["choices"] = parameter.choices;
  } else if (!std::holds_alternative<bool*>(parameter.target)) {
    json["least"] = parameter.domain.least;
    json["most"] = parameter.domain.most;
  }
  json["meaning"] = parameter.meaning;
  return json;
}

void list_parameters(const ListOptions& options) {
  const gpu::Machine machine = machine_of(options);
  std::vector<std::vector<std::string>> rows{
      {"PARAMETER", "TYPE", machine.name.empty() ? "DEFAULT" : "VALUE", "RANGE", "DESCRIPTION"}};
  ordered_json list = ordered_json::array();
  for_each_parameter(machine, [&](const config::Parameter& parameter) {
    rows.push_back({parameter.name, std::string(parameter.type()), parameter.value(),
                    parameter.range(), parameter.meaning});
    list.push_back(parameter_to_json(parameter));
  });
  if (options.json.empty()) {
    print_table(rows);
    return;
  }
  ordered_json json{{"schema", "heddle-parameters-2"}};
  if (!machine.name.empty()) json["machine"] = machine.name;
  json["parameters"] = std::move(list);
  write_json(json, OutputFile(options.json));
}

void list_counters(const ListOptions& options) {
  const gpu::Machine machine = machine_of(options);
  std::vector<std::vector<std::string>> rows{{"COUNTER", "UNIT", "DESCRIPTION"}};
  ordered_json list = ordered_json::array();
  for (const gpu::CounterName& counter : gpu::counters_of(machine)) {
    rows.push_back({counter.name, std::string(counter.unit), std::string(counter.meaning)});
    list.push_back({{"name", counter.name}, {"unit", counter.unit}, {"meaning", counter.meaning}});
  }
  if (options.json.empty()) {
    print_table(rows);
    return;
  }
  write_json({{"schema", "heddle-counters-2"}, {"counters", std::move(list)}},
             OutputFile(options.json));
}

void list_events(const ListOptions&) {
  std::vector<std::vector<std::string>> rows{{"EVENT", "DETAILS", "DESCRIPTION"}};
  for (const trace::Kind* kind : trace::Kind::all()) {
    std::string details;
    for (std::size_t i = 0; i < kind->field_count(); ++i) {
      details += (i == 0 ? "" : " ") + std::string(kind->field(i).name);
    }
    rows.push_back({std::string(kind->name()), details, std::string(kind->meaning())});
  }
  print_table(rows);
}

void list_energies(const ListOptions& options) {
  if (options.technology.empty()) {
    print_table(rows_of_technologies());
  } else {
    print_table(rows_of_energies(energy::load_technology(options.technology)));
  }
}

void list_storage(const ListOptions& options) {
  if (options.machine.machine.empty()) throw InputError("list storage: needs --machine");
  const gpu::Machine machine = machine_of(options);
  if (options.json.empty()) {
    print_table(rows_of_storage(machine));
  } else {
    write_json(storage_to_json(machine), OutputFile(options.json));
  }
}

void list_area(const ListOptions& options) {
  if (options.machine.machine.empty()) throw InputError("list area: needs --machine");
  const gpu::Machine machine = machine_of(options);
  const energy::Technology technology = options.technology.empty()
                                            ? energy::technology_of_machine(machine.name)
                                            : energy::load_technology(options.technology);
  if (options.json.empty()) {
    print_table(rows_of_area(technology, machine));
  } else {
    write_json(area_to_json(technology, machine), OutputFile(options.json));
  }
}

/// The options that a list accepts.
enum class AcceptedOptions : std::uint8_t {
  nothing,
  suite,
  machine,
  technology,
  machine_and_technology
};

bool accepts_machine(AcceptedOptions accepted) {
  return accepted == AcceptedOptions::machine ||
         accepted == AcceptedOptions::machine_and_technology;
}
bool accepts_technology(AcceptedOptions accepted) {
  return accepted == AcceptedOptions::technology ||
         accepted == AcceptedOptions::machine_and_technology;
}

struct List {
  std::string_view name;
  AcceptedOptions accepted;
  void (*print)(const ListOptions&);
};
constexpr List kLists[] = {{"workloads", AcceptedOptions::suite, list_workloads},
                           {"suites", AcceptedOptions::nothing, list_suites},
                           {"machines", AcceptedOptions::nothing, list_machines},
                           {"experiments", AcceptedOptions::nothing, list_experiments},
                           {"parameters", AcceptedOptions::machine, list_parameters},
                           {"counters", AcceptedOptions::machine, list_counters},
                           {"events", AcceptedOptions::nothing, list_events},
                           {"storage", AcceptedOptions::machine, list_storage},
                           {"area", AcceptedOptions::machine_and_technology, list_area},
                           {"energies", AcceptedOptions::technology, list_energies}};

void reject_other_options(const List& list, const ListOptions& options) {
  const char* const machine_option = !options.machine.machine.empty()    ? "--machine"
                                     : !options.machine.settings.empty() ? "--set"
                                     : !options.json.empty()             ? "--json"
                                                                         : nullptr;
  if (machine_option != nullptr && !accepts_machine(list.accepted)) {
    throw InputError(fmt::format("{}: only for the lists of parameters, counters, storage and area",
                                 machine_option));
  }
  if (!options.suite.empty() && list.accepted != AcceptedOptions::suite) {
    throw InputError("--suite: only for the list of workloads");
  }
  if (!options.technology.empty() && !accepts_technology(list.accepted)) {
    throw InputError("--technology: only for the lists of energies and area");
  }
}

void list_chosen(const ListOptions& options) {
  std::vector<std::string> names;
  for (const List& list : kLists) {
    names.emplace_back(list.name);
    if (list.name != options.what) continue;
    reject_other_options(list, options);
    list.print(options);
    return;
  }
  const std::string nearest = suggestion(options.what, names);
  throw InputError(fmt::format(
      "unknown list '{}'{}", options.what,
      nearest.empty() ? fmt::format("; choose one of: {}", fmt::join(names, ", ")) : nearest));
}

}  // namespace

void add_list(CLI::App& app, ExitCode&) {
  CLI::App* verb = app.add_subcommand(
      "list",
      "List workloads, suites, machines, experiments, parameters, counters, events, storage, area "
      "or energies");
  auto options = std::make_shared<ListOptions>();
  verb->add_option("what", options->what, "Which list")
      ->required()
      ->type_name(
          "workloads|suites|machines|experiments|parameters|counters|events|storage|area|energies");
  verb->add_option("--suite", options->suite,
                   "List only the workloads of a suite: one of 'heddle list suites', or a "
                   "description file")
      ->type_name("NAME|FILE.toml");
  verb->add_option("--technology", options->technology,
                   "The technology of energies or areas: one of 'heddle list energies', or a "
                   "description file")
      ->type_name("NAME|FILE.toml");
  add_machine_choice(*verb, options->machine);
  verb->add_option("--json", options->json,
                   "Write parameters, counters, storage or area as JSON; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->footer(
      "workloads   programs of 'heddle run', with their kernels' threads per block, registers per\n"
      "            thread and static shared memory per block, and the papers that use them\n"
      "suites      the sets of programs that papers evaluate, and how many are available\n"
      "machines    names for --machine\n"
      "experiments names for 'heddle experiment'\n"
      "parameters  keys of machine descriptions and of --set; with --machine, their values\n"
      "counters    counters of a timed simulation; with --machine, those of this machine\n"
      "events      events of --trace, with their details\n"
      "storage     storage arrays of a machine, with their bits and formulas\n"
      "area        area of a machine's multiprocessors, with its default technology or "
      "--technology\n"
      "energies    technologies for --energy, and the machines whose default they are; with\n"
      "            --technology, the energy of each event and the leakage of each component\n\n"
      "Examples: heddle list workloads --suite warpman\n"
      "          heddle list parameters --machine warpman --set chip.sms=4");
  verb->callback([options] { list_chosen(*options); });
}

}  // namespace heddle
