#include "stored_runs_csv.h"

#include <fmt/format.h>

#include <set>

#include "csv.h"
#include "lab/energy_measures.h"
#include "lab/stored_machine.h"
#include "time_text.h"

namespace heddle {
namespace {

lab::Measures measures_of(const lab::StoredRun& run,
                          const std::optional<energy::Technology>& technology) {
  lab::Measures measures = lab::Measures::from_result(run.result);
  if (!technology) return measures;
  return lab::add_energy_measures(*technology, lab::machine_of_parameters(run.parameters),
                                  measures);
}

}  // namespace

std::string stored_runs_to_csv(const std::vector<lab::StoredRun>& runs,
                               const std::optional<energy::Technology>& technology) {
  // Machines have different counters: the table has a column for each counter that any run has.
  std::set<std::string> names;
  std::vector<lab::Measures> measured;
  for (const lab::StoredRun& run : runs) {
    measured.push_back(measures_of(run, technology));
    for (const auto& [name, value] : measured.back().all()) names.insert(name);
  }
  std::vector<std::string> heading{"key",  "workload", "size",    "seed",      "registers",
                                   "grid", "machine",  "version", "stored_at", "host_seconds"};
  heading.insert(heading.end(), names.begin(), names.end());
  std::string text = csv_line(heading);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const lab::StoredRun& run = runs[i];
    std::vector<std::string> cells{run.key,
                                   run.workload,
                                   run.size,
                                   run.seed,
                                   run.registers,
                                   run.grid,
                                   run.machine,
                                   run.version,
                                   time_text(run.stored_at),
                                   fmt::format("{}", run.host_seconds)};
    for (const std::string& name : names) {
      const std::optional<double> value = measured[i].find(name);
      cells.push_back(value ? fmt::format("{}", *value) : "");
    }
    text += csv_line(cells);
  }
  return text;
}

}  // namespace heddle
