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
/// The longest interval: longer than any run, and so short that a cycle plus this does not
/// overflow.
constexpr std::uint64_t kMaxInterval = 1'000'000'000'000;

/// Whether the counter's name is `name`, or begins with `name` and a dot: "l1" matches "l1.hits".
bool matches(std::string_view counter, std::string_view name) {
  return counter.starts_with(name) &&
         (counter.size() == name.size() || counter[name.size()] == '.');
}

/// The names that may be requested: those of counters, and their prefixes that end before a dot.
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

/// The indices of the counters that a list of names denotes; of all counters if it is empty.
std::vector<std::size_t> parse_counters(const std::string& text,
                                        const std::vector<gpu::CounterName>& counters) {
  std::set<std::size_t> chosen;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    bool is_known = text.empty();
    for (std::size_t i = 0; i < counters.size(); ++i) {
      if (!text.empty() && !matches(counters[i].name, name)) continue;
      chosen.insert(i);
      is_known = true;
    }
    if (!is_known) {
      throw InputError(fmt::format("{}: unknown counter '{}'{}", kCounters, name,
                                   suggestion(name, names_of(counters))));
    }
    begin = end + 1;
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace

const char* SampleOptions::dependent_option() const {
  return !counters.empty() ? kCounters : !csv.empty() ? kCsv : !chart.empty() ? kChart : nullptr;
}

void add_sample_options(CLI::App& verb, SampleOptions& options) {
  verb.add_option(kInterval, options.interval,
                  "Record all counters of each launch every CYCLES core cycles: for --json, for "
                  "--sample-csv, and with --energy for power over time. Timed simulation only")
      ->type_name("CYCLES");
  verb.add_option(
          kCounters, options.counters,
          "Report samples of these counters only; 'l1' means all counters that begin with 'l1.'")
      ->type_name("NAME,...");
  verb.add_option(kCsv, options.csv, "Write the samples as CSV, one line for each sample")
      ->type_name("FILE.csv")
      ->check(file_name());
  verb.add_option(kChart, options.chart,
                  "Draw the power of each component over time. Needs --sample and --energy")
      ->type_name("FILE.svg")
      ->check(file_name());
}

Sampling parse_sampling(const SampleOptions& options, const std::string& json,
                        const std::string& energy, const gpu::Machine& machine) {
  if (options.interval.empty()) {
    const char* const dependent = options.dependent_option();
    if (dependent == nullptr) return {};
    throw InputError(fmt::format("{}: needs --sample CYCLES, the interval of samples", dependent));
  }
  Sampling sampling{.interval = parse_whole_number(kInterval, options.interval, 1, kMaxInterval)};
  if (!options.chart.empty() && energy.empty()) {
    throw InputError(fmt::format("{}: needs --energy", kChart));
  }
  const bool has_file = !json.empty() || !options.csv.empty();
  if (!options.counters.empty() && !has_file) {
    throw InputError(
        fmt::format("{}: needs --json or {}, the files that contain samples", kCounters, kCsv));
  }
  if (!has_file && energy.empty()) {
    throw InputError(fmt::format(
        "{}: needs --json or {}, the files that contain samples, or --energy", kInterval, kCsv));
  }
  sampling.counters = parse_counters(options.counters, gpu::counters_of(machine));
  return sampling;
}

}  // namespace heddle
