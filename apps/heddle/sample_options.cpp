#include "sample_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/nearest.h"
#include "gpu/chip.h"
#include "option_values.h"

namespace heddle {
namespace {

constexpr const char* kInterval = "--sample";
constexpr const char* kCounters = "--sample-counters";
constexpr const char* kCsv = "--sample-csv";
constexpr const char* kChart = "--power-chart";
/// Longer than any run, and still a cycle when it is added to one.
constexpr std::uint64_t kMostCycles = 1'000'000'000'000;

/// Whether a counter is called `name`, or is of the part of that name: "l1" has "l1.hits".
bool is_of(std::string_view counter, std::string_view name) {
  return counter.starts_with(name) &&
         (counter.size() == name.size() || counter[name.size()] == '.');
}

/// What may be asked for: counters, and their parts.
std::vector<std::string> names_of(const std::vector<gpu::CounterName>& counters) {
  std::set<std::string> names;
  for (const gpu::CounterName& counter : counters) {
    names.insert(counter.name);
    for (std::size_t dot = counter.name.find('.'); dot != std::string::npos;
         dot = counter.name.find('.', dot + 1)) {
      names.insert(counter.name.substr(0, dot));
    }
  }
  return {names.begin(), names.end()};
}

std::vector<std::size_t> parse_counters(const std::string& text,
                                        const std::vector<gpu::CounterName>& counters) {
  std::set<std::size_t> chosen;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    bool any = text.empty();
    for (std::size_t i = 0; i < counters.size(); ++i) {
      if (!text.empty() && !is_of(counters[i].name, name)) continue;
      chosen.insert(i);
      any = true;
    }
    if (!any) {
      throw InputError(fmt::format("{}: the machine counts no '{}'{}", kCounters, name,
                                   suggestion(name, names_of(counters))));
    }
    begin = end + 1;
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace

const char* SampleOptions::given_alone() const {
  return !counters.empty() ? kCounters : !csv.empty() ? kCsv : !chart.empty() ? kChart : nullptr;
}

void add_sample_options(CLI::App& verb, SampleOptions& options) {
  verb.add_option(kInterval, options.interval,
                  "Note what is counted every so many core cycles of each launch: for the JSON, "
                  "for --sample-csv, and for power over time with --energy")
      ->type_name("CYCLES");
  verb.add_option(kCounters, options.counters,
                  "Of these counters only; 'l1' means all that begin with 'l1.'")
      ->type_name("NAME,...");
  verb.add_option(kCsv, options.csv, "Write the samples, a line each")
      ->type_name("FILE.csv")
      ->check(file_name());
  verb.add_option(kChart, options.chart,
                  "Draw power over time, by component; with --sample and --energy")
      ->type_name("FILE.svg")
      ->check(file_name());
}

Sampling parse_sampling(const SampleOptions& options, const std::string& json,
                        const std::string& energy, const gpu::Machine& machine) {
  if (options.interval.empty()) {
    const char* const alone = options.given_alone();
    if (alone == nullptr) return {};
    throw InputError(fmt::format("{}: samples of how many cycles? (--sample CYCLES)", alone));
  }
  Sampling sampling{.interval = parse_whole_number(kInterval, options.interval, 1, kMostCycles)};
  if (!options.chart.empty() && energy.empty()) {
    throw InputError(fmt::format("{}: power is of a technology; add --energy", kChart));
  }
  const bool written = !json.empty() || !options.csv.empty();
  if (!options.counters.empty() && !written) {
    throw InputError(
        fmt::format("{}: they go to the JSON (--json) or to {} FILE.csv", kCounters, kCsv));
  }
  if (!written && energy.empty()) {
    throw InputError(fmt::format(
        "{}: samples go to the JSON (--json) or to {} FILE.csv; with --energy power is told",
        kInterval, kCsv));
  }
  sampling.counters = parse_counters(options.counters, gpu::counters_of(machine));
  return sampling;
}

}  // namespace heddle
