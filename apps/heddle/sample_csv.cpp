// The samples of a run as CSV, for plots.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "csv.h"
#include "energy_report.h"
#include "sample_report.h"

namespace heddle {
namespace {

/// Energy columns have the names of the experiments' energy metrics.
std::vector<std::string> heading(const TimedChip& timed) {
  std::vector<std::string> cells{"launch", "kernel", "begin_cycle", "end_cycle"};
  for (const std::size_t i : timed.sampling.counters) {
    cells.push_back(timed.chip.counters()[i].name);
  }
  if (!timed.technology) return cells;
  for (const char* const name : {"power.average", "power.chip", "energy.total"}) {
    cells.emplace_back(name);
  }
  for (const std::string& name : energy::component_names()) {
    cells.push_back("energy.dynamic." + name);
    cells.push_back("energy.static." + name);
  }
  return cells;
}

std::string joules_text(energy::Picojoules energy) {
  return fmt::format("{}", energy::in_joules(energy));
}

std::string watts_text(const std::optional<double>& watts) {
  return watts ? fmt::format("{}", *watts) : "";
}

void add_energy(std::vector<std::string>& cells, const energy::Interval& interval) {
  cells.push_back(watts_text(interval.watts()));
  cells.push_back(watts_text(interval.chip_watts()));
  cells.push_back(joules_text(interval.total()));
  energy::ByComponent<energy::ComponentEnergy> all{};
  for (const energy::ComponentEnergy& each : interval.components) all[each.component] = each;
  for (const energy::ComponentEnergy& each : all) {
    cells.push_back(joules_text(each.dynamic_energy));
    cells.push_back(joules_text(each.static_energy));
  }
}

}  // namespace

std::string samples_csv(const TimedChip& timed) {
  // Energy is accounted per kernel. Launches of different kernels may alternate, so the lines are
  // sorted by launch at the end.
  std::vector<std::pair<std::size_t, std::string>> lines;
  for (const Timing& timing : timing_by_kernel(timed.chip.runs())) {
    std::vector<energy::Interval> intervals;
    if (timed.technology) intervals = power_of(timed, timing, account_of(timed, timing));
    for (std::size_t i = 0; i < timing.samples.size(); ++i) {
      const auto& [launch, sample] = timing.samples[i];
      std::vector<std::string> cells{fmt::format("{}", launch), timing.kernel,
                                     fmt::format("{}", sample->begin.number),
                                     fmt::format("{}", sample->end.number)};
      for (const std::size_t counter : timed.sampling.counters) {
        cells.push_back(fmt::format("{}", sample->counters.at(counter)));
      }
      if (timed.technology) add_energy(cells, intervals[i]);
      lines.emplace_back(launch, csv_line(cells));
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text = csv_line(heading(timed));
  for (const auto& [launch, line] : lines) text += line;
  return text;
}

}  // namespace heddle
