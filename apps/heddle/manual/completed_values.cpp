#include "manual/completed_values.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "config/declarations.h"
#include "energy/technology.h"
#include "gpu/machine.h"
#include "lab/experiment.h"
#include "lab/suite.h"
#include "machine_figures.h"
#include "workload/size.h"
#include "workload/workload.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

template <class Known>
Words names_in(const Known& known) {
  Words names;
  for (const auto& each : known) names.emplace_back(each.name);
  return names;
}

Words machines() { return names_in(gpu::known_machines()); }
Words suites() { return names_in(lab::known_suites()); }
Words technologies() { return names_in(energy::known_technologies()); }

Words workloads() {
  Words names;
  for (const workload::Workload* each : workload::all_workloads()) names.push_back(each->name);
  return names;
}

Words sizes() {
  Words names;
  for (const workload::Size size : workload::kSizes) names.emplace_back(name_of(size));
  return names;
}

/// The experiments, their folders, and "all".
Words experiments() {
  std::set<std::string> names{"all"};
  for (const lab::KnownExperiment& known : lab::known_experiments()) {
    const std::string_view name = known.name;
    names.emplace(name);
    if (name.find('/') != std::string_view::npos) names.emplace(name.substr(0, name.find('/')));
  }
  return {names.begin(), names.end()};
}

/// "l1.bytes=" and so on, of a machine with default values.
Words settings() {
  Words names;
  for_each_parameter(gpu::Machine{}, [&](const config::Parameter& parameter) {
    names.push_back(parameter.name + "=");
  });
  return names;
}

/// The names that an option or a positional argument takes.
struct NamedValues {
  std::string_view verb;  ///< empty: of all verbs
  std::string_view option;
  Words (*names)();
};
constexpr NamedValues kNamedValues[] = {
    {"", "--machine", machines},
    {"", "--set", settings},
    {"", "--size", sizes},
    {"", "--suite", suites},
    {"", "--technology", technologies},
    {"", "--energy", technologies},
    {"", "--workload", workloads},
    {"heddle run", "name", workloads},
    {"heddle inject", "name", workloads},
    {"heddle show", "machine", machines},
    {"heddle experiment", "names", experiments},
};

/// The alternatives that an option's value spells out: "compiled" and "paper" of
/// "compiled|paper|N".
Words alternatives(std::string_view value) {
  Words words;
  while (!value.empty()) {
    const std::string_view word = value.substr(0, value.find('|'));
    value.remove_prefix(std::min(value.size(), word.size() + 1));
    if (!word.empty() && std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; })) {
      words.emplace_back(word);
    }
  }
  return words;
}

}  // namespace

CompletedValues values_of(const VerbDescription& verb, const OptionDescription& option) {
  CompletedValues values;
  for (const std::string_view kind : {"FILE", "DIR", "PROGRAM"}) {
    values.files = values.files || option.value.find(kind) != std::string::npos;
  }
  for (const NamedValues& named : kNamedValues) {
    if (!named.verb.empty() && named.verb != verb.path) continue;
    if (std::ranges::find(option.names, named.option) == option.names.end()) continue;
    values.words = named.names();
    return values;
  }
  values.words = alternatives(option.value);
  return values;
}

}  // namespace heddle
