#include "power_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "energy_report.h"
#include "lab/report/palette.h"
#include "lab/report/power_chart.h"
#include "sample_report.h"

namespace heddle {
namespace {

using lab::report::PowerChart;

/// Each of these components has a colour. One more colour shows all other components together.
constexpr std::size_t kMaxComponents = lab::report::kColourCount - 1;

/// The intervals of all launches in the order of time. Launches may overlap: an interval that
/// begins before the previous one has ended is left out.
std::vector<energy::Interval> intervals_of(const TimedChip& timed) {
  std::vector<energy::Interval> all;
  for (const Timing& timing : timing_by_kernel(timed.chip.runs())) {
    std::vector<energy::Interval> of_kernel = power_of(timed, timing, account_of(timed, timing));
    std::move(of_kernel.begin(), of_kernel.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::vector<energy::Interval> disjoint;
  for (energy::Interval& interval : all) {
    if (interval.seconds <= 0) continue;
    if (disjoint.empty() || interval.begin >= disjoint.back().end)
      disjoint.push_back(std::move(interval));
  }
  return disjoint;
}

/// The components with the most dynamic energy, the largest first.
std::vector<energy::Component> largest_of(const std::vector<energy::Interval>& intervals) {
  energy::ByComponent<energy::Picojoules> sums{};
  for (const energy::Interval& interval : intervals) {
    for (const auto& each : interval.components) sums[each.component] += each.dynamic_energy;
  }
  std::vector<energy::Component> components;
  for (std::size_t i = 0; i < energy::kComponents; ++i) {
    const auto component = static_cast<energy::Component>(i);
    if (sums[component] != 0) components.push_back(component);
  }
  std::stable_sort(components.begin(), components.end(),
                   [&](auto a, auto b) { return sums[a] > sums[b]; });
  components.resize(std::min(components.size(), kMaxComponents));
  return components;
}

PowerChart::Stretch stretch_of(const energy::Interval& interval,
                               const std::vector<energy::Component>& components) {
  std::vector<energy::Picojoules> parts(components.size() + 2, 0);
  for (const energy::ComponentEnergy& each : interval.components) {
    const auto place = std::find(components.begin(), components.end(), each.component);
    parts.front() += each.static_energy;
    parts[static_cast<std::size_t>(place - components.begin()) + 1] += each.dynamic_energy;
  }
  PowerChart::Stretch stretch{.begin = interval.begin, .end = interval.end};
  for (const energy::Picojoules part : parts) {
    stretch.watts.push_back(energy::in_joules(part) / interval.seconds);
  }
  return stretch;
}

std::string subtitle_of(const TimedChip& timed, const std::vector<energy::Interval>& intervals) {
  const energy::Interval* const peak = energy::peak_of(intervals);
  if (peak == nullptr) return "nothing was launched";
  return fmt::format(
      "{:.3g} W on average, {:.3g} W at most (cycles {} to {}), in intervals of {} cycles at {} "
      "MHz",
      energy::average_watts(intervals), *peak->watts(), peak->begin.number, peak->end.number,
      timed.sampling.interval, timed.chip.machine().clock.core_mhz);
}

}  // namespace

std::string power_picture(const TimedChip& timed) {
  const std::vector<energy::Interval> intervals = intervals_of(timed);
  const std::vector<energy::Component> components = largest_of(intervals);
  PowerChart chart{
      .title = fmt::format("Power of {}, {}", timed.chip.machine().name, timed.technology->name),
      .subtitle = subtitle_of(timed, intervals),
      .parts = {"leakage"}};
  for (const energy::Component component : components) {
    std::string name(name_of(component));
    std::replace(name.begin(), name.end(), '_', ' ');
    chart.parts.push_back(std::move(name));
  }
  chart.parts.emplace_back("others");
  for (const energy::Interval& interval : intervals) {
    chart.stretches.push_back(stretch_of(interval, components));
  }
  for (const gpu::KernelRun& run : timed.chip.runs()) {
    chart.launches.push_back(
        {.kernel = run.kernel, .begin = run.begin, .end = run.begin + run.cycles});
  }
  return lab::report::draw_power(chart);
}

}  // namespace heddle
