#include "lab/measures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace heddle::lab {
namespace {

using Values = std::map<std::string, double, std::less<>>;

constexpr std::array kInTotals{"cycles",   "microseconds",      "ipc",
                               "warp_ipc", "warp_instructions", "thread_instructions"};
// Of sm.underutilisation and what goes with it (sm/underutilisation.cpp), over all blocks.
constexpr std::string_view kMean = "underutilisation";
constexpr std::string_view kGeometricMean = "underutilisation_geometric";

void add_underutilisation(Values& values) {
  const auto blocks = values.find("sm.ended_blocks");
  if (blocks == values.end() || blocks->second == 0) return;
  const double mean = values.at("sm.underutilisation") / 1e6 / blocks->second;
  const double octaves = values.at("sm.underutilisation_octaves") / 1024 / blocks->second;
  values[std::string(kMean)] = mean;
  values[std::string(kGeometricMean)] = std::exp2(-octaves);
}

}  // namespace

const std::vector<std::string>& measures_of_every_run() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all(kInTotals.begin(), kInTotals.end());
    all.emplace_back(kMean);
    all.emplace_back(kGeometricMean);
    return all;
  }();
  return names;
}

Measures Measures::of_result(std::string_view json) {
  try {
    const nlohmann::json totals = nlohmann::json::parse(json).at("totals");
    Values values;
    for (const char* name : kInTotals) values[name] = totals.at(name);
    for (const auto& [name, value] : totals.at("counters").items()) values[name] = value;
    add_underutilisation(values);
    return Measures(std::move(values));
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("this is no result of a run in time: {}", error.what()));
  }
}

std::optional<double> Measures::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

}  // namespace heddle::lab
