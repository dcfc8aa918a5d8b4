#include "run_filter.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "gpu/machine.h"
#include "workload/size.h"
#include "workload/workload.h"

namespace heddle {
namespace {

void check_name(const char* option, const std::string& name, std::vector<std::string> known,
                const std::vector<std::string>& stored) {
  if (name.empty()) return;
  known.insert(known.end(), stored.begin(), stored.end());
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw InputError(fmt::format("{}: unknown name '{}'{}", option, name, suggestion(name, known)));
}

}  // namespace

void add_filter(CLI::App& verb, lab::RunFilter& filter) {
  verb.add_option("--workload", filter.workload, "Only runs of this workload")->type_name("NAME");
  verb.add_option("--size", filter.size, "Only runs of this size")->type_name("SIZE");
  verb.add_option("--machine", filter.machine,
                  "Only runs on the machine with this name, whatever its settings were")
      ->type_name("NAME");
}

void check_filter(const lab::RunFilter& filter, const lab::Store& store) {
  using Column = lab::Store::Column;
  std::vector<std::string> workloads;
  for (const workload::Workload* const one : workload::all_workloads()) {
    workloads.push_back(one->name);
  }
  std::vector<std::string> sizes;
  sizes.reserve(std::size(workload::kSizes));
  for (const workload::Size size : workload::kSizes) sizes.emplace_back(workload::name_of(size));
  std::vector<std::string> machines;
  for (const gpu::KnownMachine& machine : gpu::known_machines()) {
    machines.emplace_back(machine.name);
  }
  check_name("--workload", filter.workload, std::move(workloads),
             store.distinct_values(Column::workload));
  check_name("--size", filter.size, std::move(sizes), store.distinct_values(Column::size));
  check_name("--machine", filter.machine, std::move(machines),
             store.distinct_values(Column::machine));
}

}  // namespace heddle
