#include "sample_report.h"

#include <fmt/format.h>

namespace heddle {
namespace {

using nlohmann::ordered_json;

ordered_json number_or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

/// An array of cell(row) for each of `rows`.
template <class Rows, class Cell>
ordered_json json_column(const Rows& rows, Cell cell) {
  ordered_json values = ordered_json::array();
  for (const auto& row : rows) values.push_back(cell(row));
  return values;
}

ordered_json intervals_to_json(const std::vector<energy::Interval>& intervals) {
  const auto joules = [&](std::size_t component,
                          energy::Picojoules energy::ComponentEnergy::*kind) {
    return json_column(intervals, [&](const energy::Interval& interval) {
      return energy::in_joules(interval.components[component].*kind);
    });
  };
  ordered_json components = ordered_json::array();
  // All intervals have the same components.
  const std::size_t count = intervals.empty() ? 0 : intervals.front().components.size();
  for (std::size_t i = 0; i < count; ++i) {
    components.push_back({{"name", name_of(intervals.front().components[i].component)},
                          {"dynamic_joules", joules(i, &energy::ComponentEnergy::dynamic_energy)},
                          {"static_joules", joules(i, &energy::ComponentEnergy::static_energy)}});
  }
  return {
      {"watts",
       json_column(intervals, [](const auto& each) { return number_or_null(each.watts()); })},
      {"chip_watts",
       json_column(intervals, [](const auto& each) { return number_or_null(each.chip_watts()); })},
      {"components", std::move(components)}};
}

ordered_json peak_to_json(const energy::Interval& peak, double watts, std::uint64_t interval) {
  return {{"watts", watts},
          {"begin_cycle", peak.begin.number},
          {"end_cycle", peak.end.number},
          {"interval", interval}};
}

}  // namespace

std::vector<energy::Interval> power_of(const TimedChip& timed, const Timing& timing,
                                       const energy::Account& account) {
  std::vector<const gpu::Sample*> samples;
  for (const LaunchSample& each : timing.samples) samples.push_back(each.sample);
  return energy::power_over_time(*timed.technology, timed.chip.machine(), timed.chip.counters(),
                                 samples, account);
}

ordered_json samples_to_json(const TimedChip& timed, const Timing& timing,
                             const std::vector<energy::Interval>& intervals) {
  const std::vector<LaunchSample>& samples = timing.samples;
  ordered_json counters = ordered_json::object();
  for (const std::size_t i : timed.sampling.counters) {
    counters[timed.chip.counters()[i].name] =
        json_column(samples, [i](const LaunchSample& each) { return each.sample->counters.at(i); });
  }
  ordered_json json{
      {"interval", timed.sampling.interval},
      {"launch", json_column(samples, [](const LaunchSample& each) { return each.launch; })},
      {"begin_cycle",
       json_column(samples, [](const LaunchSample& each) { return each.sample->begin.number; })},
      {"end_cycle",
       json_column(samples, [](const LaunchSample& each) { return each.sample->end.number; })},
      {"counters", std::move(counters)}};
  if (timed.technology) json["energy"] = intervals_to_json(intervals);
  return json;
}

void add_peaks(ordered_json& energy, const TimedChip& timed,
               const std::vector<energy::Interval>& intervals) {
  const energy::Interval* const peak = energy::peak_of(intervals);
  if (peak == nullptr) return;
  const energy::Interval& of_chip = *energy::chip_peak_of(intervals);
  energy["peak"] = peak_to_json(*peak, *peak->watts(), timed.sampling.interval);
  energy["chip_peak"] = peak_to_json(of_chip, *of_chip.chip_watts(), timed.sampling.interval);
}

std::string power_text(const TimedChip& timed, const Timing& timing, const energy::Account& account,
                       Margin margin) {
  const std::vector<energy::Interval> intervals = power_of(timed, timing, account);
  const energy::Interval* const peak = energy::peak_of(intervals);
  if (peak == nullptr) return "";
  std::string text = fmt::format(
      "{:{}}{:{}}{:.3g} W on average, {:.3g} W peak in cycles {} to {} (intervals of {})", "",
      margin.indent, "power", margin.column - margin.indent, energy::average_watts(intervals),
      *peak->watts(), peak->begin.number, peak->end.number, timed.sampling.interval);
  if (const energy::Picojoules late = energy::energy_after_end(intervals); late != 0) {
    text += fmt::format("; {:.3g} uJ after the end", 1e6 * energy::in_joules(late));
  }
  return text + "\n";
}

}  // namespace heddle
