#include "lab/measures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "locality/sizes.h"

namespace heddle::lab {
namespace {

using Values = std::map<std::string, double, std::less<>>;

constexpr std::array kTotalMeasures{"cycles",   "microseconds",      "ipc",
                                    "warp_ipc", "warp_instructions", "thread_instructions"};
// Means of the temporal underutilisation over all blocks, from the counters sm.underutilisation
// (arithmetic mean) and sm.underutilisation_octaves (geometric mean); see
// sm/residency/temporal_underutilisation.cpp.
constexpr std::string_view kUnderutilisation = "underutilisation";
constexpr std::string_view kGeometricUnderutilisation = "underutilisation_geometric";

void add_underutilisation(Values& values) {
  const auto blocks = values.find("sm.ended_blocks");
  if (blocks == values.end() || blocks->second == 0) return;
  const double mean = values.at("sm.underutilisation") / 1e6 / blocks->second;
  const double octaves = values.at("sm.underutilisation_octaves") / 1024 / blocks->second;
  values[std::string(kUnderutilisation)] = mean;
  values[std::string(kGeometricUnderutilisation)] = std::exp2(-octaves);
}

constexpr const char* kLocalityAccesses = "locality.accesses";

std::string locality_measure(std::size_t n, std::size_t m) {
  return fmt::format("locality.n{}.m{}", n, m);
}

void add_locality(Values& values, const nlohmann::json& measured) {
  values[kLocalityAccesses] = measured.at("accesses");
  for (std::size_t n = 0; n < locality::kSizes; ++n) {
    for (std::size_t m = 0; m < locality::kSizes; ++m) {
      values[locality_measure(n, m)] = measured.at("probability").at(n).at(m);
    }
  }
}

// The names of side-by-side measures in a result: for all programs together, for each program, and
// for each program's run alone.
constexpr std::array kJointMeasures{"weighted_speedup", "harmonic_speedup", "fairness"};
constexpr std::array kProgramMeasures{"ipc",
                                      "warp_ipc",
                                      "slowdown",
                                      "instruction_share",
                                      "occupied_share",
                                      "occupied_sm_cycles",
                                      "runs_completed",
                                      "runs_with_fraction"};
constexpr std::array kAloneMeasures{"ipc", "warp_ipc", "cycles"};
constexpr std::string_view kProgramPrefix = "program.";

std::string name_of_alone(std::size_t program, std::string_view name) {
  return measure_of_program(program, fmt::format("alone.{}", name));
}

void add_programs(Values& values, const nlohmann::json& result) {
  for (const char* name : kJointMeasures) {
    if (result.contains(name)) values[name] = result.at(name);
  }
  const nlohmann::json& programs = result.at("programs");
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const nlohmann::json& program = programs[i];
    for (const char* name : kProgramMeasures) {
      if (program.contains(name)) values[measure_of_program(i, name)] = program.at(name);
    }
    if (!program.contains("alone")) continue;
    for (const char* name : kAloneMeasures) {
      values[name_of_alone(i, name)] = program.at("alone").at(name);
    }
  }
}

}  // namespace

std::string measure_of_program(std::size_t program, std::string_view name) {
  return fmt::format("{}{}.{}", kProgramPrefix, program + 1, name);
}

std::vector<std::string> measures_of_programs(std::size_t programs) {
  std::vector<std::string> names(kJointMeasures.begin(), kJointMeasures.end());
  for (std::size_t i = 0; i < programs; ++i) {
    for (const char* name : kProgramMeasures) names.push_back(measure_of_program(i, name));
    for (const char* name : kAloneMeasures) names.push_back(name_of_alone(i, name));
  }
  return names;
}

std::vector<std::string> locality_measures() {
  std::vector<std::string> names{kLocalityAccesses};
  for (std::size_t n = 0; n < locality::kSizes; ++n) {
    for (std::size_t m = 0; m < locality::kSizes; ++m) names.push_back(locality_measure(n, m));
  }
  return names;
}

bool is_program_measure(std::string_view measure) { return measure.starts_with(kProgramPrefix); }

const std::vector<std::string>& measures_of_every_run() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(kTotalMeasures.begin(), kTotalMeasures.end());
    all.emplace_back(kUnderutilisation);
    all.emplace_back(kGeometricUnderutilisation);
    return all;
  }();
  return names;
}

Measures Measures::from_result(std::string_view json) {
  try {
    const nlohmann::json result = nlohmann::json::parse(json);
    const nlohmann::json& totals = result.at("totals");
    Values values;
    for (const char* name : kTotalMeasures) values[name] = totals.at(name);
    for (const auto& [name, value] : totals.at("counters").items()) values[name] = value;
    add_underutilisation(values);
    if (totals.contains("locality")) add_locality(values, totals.at("locality"));
    if (result.contains("programs")) add_programs(values, result);
    return Measures(std::move(values), SharedChip::from_result(result));
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("this is not the result of a timed run: {}", error.what()));
  }
}

std::optional<double> Measures::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

}  // namespace heddle::lab
