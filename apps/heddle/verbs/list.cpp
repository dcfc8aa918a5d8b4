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
  if (suite.unnamed != 0) print("and {} that the paper does not name\n", suite.unnamed);
}

void list_suites(const ListOptions&) {
  std::vector<std::vector<std::string>> rows{{"SUITE", "PROGRAMS", "HERE", "TABLE", "PAPER"}};
  for (const lab::KnownSuite& known : lab::known_suites()) {
    const lab::Suite suite = lab::load_suite(std::string(known.name));
    rows.push_back({suite.name, std::to_string(suite.size()), std::to_string(suite.present()),
                    suite.table, suite.paper});
  }
  print_table(rows);
}

void list_machines(const ListOptions&) {
  std::vector<std::vector<std::string>> rows{{"MACHINE", "WHAT IT IS"}};
  for (const gpu::KnownMachine& machine : gpu::known_machines()) {
    rows.push_back({std::string(machine.name), machine.summary()});
  }
  print_table(rows);
}

void list_experiments(const ListOptions&) {
  std::vector<std::vector<std::string>> rows{
      {"EXPERIMENT", "WORKLOADS", "VARIANTS", "CLAIMS", "REPEATS", "WHAT IT IS"}};
  for (const lab::KnownExperiment& known : lab::known_experiments()) {
    const lab::Experiment experiment = lab::load_experiment(std::string(known.name));
    rows.push_back({experiment.name, std::to_string(experiment.rows.size()),
                    std::to_string(experiment.variants.size()),
                    std::to_string(experiment.claims.size()),
                    experiment.figure.empty() ? "-" : experiment.figure, experiment.title});
  }
  print_table(rows);
}

/// The one that is asked for; else that of the defaults.
gpu::Machine machine_of(const ListOptions& options) {
  if (!options.machine.machine.empty()) {
    return gpu::load_machine(options.machine.machine, options.machine.settings);
  }
  if (!options.machine.settings.empty()) throw InputError("--set: of which --machine?");
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
      {"PARAMETER", "TYPE", machine.name.empty() ? "DEFAULT" : "VALUE", "RANGE", "WHAT IT IS"}};
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
  ordered_json json{{"schema", "heddle-parameters-1"}};
  if (!machine.name.empty()) json["machine"] = machine.name;
  json["parameters"] = std::move(list);
  write_json(json, OutputFile(options.json));
}

void list_counters(const ListOptions& options) {
  const gpu::Machine machine = machine_of(options);
  std::vector<std::vector<std::string>> rows{{"COUNTER", "UNIT", "WHAT IT COUNTS"}};
  ordered_json list = ordered_json::array();
  for (const gpu::CounterName& counter : gpu::counters_of(machine)) {
    rows.push_back({counter.name, std::string(counter.unit), std::string(counter.meaning)});
    list.push_back({{"name", counter.name}, {"unit", counter.unit}, {"meaning", counter.meaning}});
  }
  if (options.json.empty()) {
    print_table(rows);
    return;
  }
  write_json({{"schema", "heddle-counters-1"}, {"counters", std::move(list)}},
             OutputFile(options.json));
}

void list_events(const ListOptions&) {
  std::vector<std::vector<std::string>> rows{{"EVENT", "DETAILS", "WHAT HAPPENS"}};
  for (const trace::Kind* kind : trace::Kind::all()) {
    std::string details;
    for (std::size_t i = 0; i < kind->fields(); ++i) {
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
  if (options.machine.machine.empty()) throw InputError("--machine: of which is the storage?");
  const gpu::Machine machine = machine_of(options);
  if (options.json.empty()) {
    print_table(rows_of_storage(machine));
  } else {
    write_json(storage_to_json(machine), OutputFile(options.json));
  }
}

void list_area(const ListOptions& options) {
  if (options.machine.machine.empty()) throw InputError("--machine: of which is the area?");
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

/// What else than its name a list takes.
enum class Takes : std::uint8_t { nothing, suite, machine, technology, machine_and_technology };

bool takes_machine(Takes takes) {
  return takes == Takes::machine || takes == Takes::machine_and_technology;
}
bool takes_technology(Takes takes) {
  return takes == Takes::technology || takes == Takes::machine_and_technology;
}

struct List {
  std::string_view name;
  Takes takes;
  void (*print)(const ListOptions&);
};
constexpr List kLists[] = {{"workloads", Takes::suite, list_workloads},
                           {"suites", Takes::nothing, list_suites},
                           {"machines", Takes::nothing, list_machines},
                           {"experiments", Takes::nothing, list_experiments},
                           {"parameters", Takes::machine, list_parameters},
                           {"counters", Takes::machine, list_counters},
                           {"events", Takes::nothing, list_events},
                           {"storage", Takes::machine, list_storage},
                           {"area", Takes::machine_and_technology, list_area},
                           {"energies", Takes::technology, list_energies}};

void refuse_what_it_does_not_take(const List& list, const ListOptions& options) {
  const char* const of_machine = !options.machine.machine.empty()    ? "--machine"
                                 : !options.machine.settings.empty() ? "--set"
                                 : !options.json.empty()             ? "--json"
                                                                     : nullptr;
  if (of_machine != nullptr && !takes_machine(list.takes)) {
    throw InputError(fmt::format(
        "{}: only the lists of parameters, counters, storage and area take it", of_machine));
  }
  if (!options.suite.empty() && list.takes != Takes::suite) {
    throw InputError("--suite: only the list of workloads takes it");
  }
  if (!options.technology.empty() && !takes_technology(list.takes)) {
    throw InputError("--technology: only the lists of energies and area take it");
  }
}

void list_chosen(const ListOptions& options) {
  std::vector<std::string> names;
  for (const List& list : kLists) {
    names.emplace_back(list.name);
    if (list.name != options.what) continue;
    refuse_what_it_does_not_take(list, options);
    list.print(options);
    return;
  }
  const std::string nearest = suggestion(options.what, names);
  throw InputError(fmt::format(
      "there is no list of '{}'{}", options.what,
      nearest.empty() ? fmt::format("; there are: {}", fmt::join(names, ", ")) : nearest));
}

}  // namespace

void add_list(CLI::App& app, ExitCode&) {
  CLI::App* verb = app.add_subcommand(
      "list",
      "Show what there is by name: workloads, suites, machines, experiments, parameters, "
      "counters, events, storage, area, energies");
  auto options = std::make_shared<ListOptions>();
  verb->add_option("what", options->what, "Which list")
      ->required()
      ->type_name(
          "workloads|suites|machines|experiments|parameters|counters|events|storage|area|energies");
  verb->add_option("--suite", options->suite,
                   "Only the workloads of a paper's table: one that 'heddle list suites' shows, or "
                   "the file of one")
      ->type_name("NAME|FILE.toml");
  verb->add_option("--technology", options->technology,
                   "Whose energies or areas: one that 'heddle list energies' shows, or its file")
      ->type_name("NAME|FILE.toml");
  add_machine_choice(*verb, options->machine);
  verb->add_option("--json", options->json,
                   "Write parameters, counters, storage or area as JSON; '-' for standard output")
      ->type_name("FILE|-")
      ->check(file_name());
  verb->footer(
      "workloads   the programs that 'heddle run' knows: threads in a block, registers a thread\n"
      "            and bytes of static shared memory a block of their kernels, and who used them\n"
      "suites      the tables of programs that papers evaluate, and how many of them are here\n"
      "machines    the GPUs that --machine knows\n"
      "experiments the studies that 'heddle experiment' knows\n"
      "parameters  what a machine's description and --set can say; with --machine, what it says\n"
      "counters    what is counted in a run with --machine\n"
      "events      what --trace notes of such a run, and what comes with it\n"
      "storage     the bits that a machine has, array by array, and how they follow from it\n"
      "area        the area of a machine's multiprocessors, with its usual technology or "
      "--technology\n"
      "energies    the technologies that --energy accounts with, and whose usual one each is; "
      "with\n"
      "            --technology what each event takes and each component leaks, and who says so");
  verb->callback([options] { list_chosen(*options); });
}

}  // namespace heddle
