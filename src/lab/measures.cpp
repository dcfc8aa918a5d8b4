#include "lab/measures.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace heddle::lab {

const std::vector<std::string>& measures_of_every_run() {
  static const std::vector<std::string> names{
      "cycles", "microseconds", "ipc", "warp_ipc", "warp_instructions", "thread_instructions"};
  return names;
}

Measures Measures::of_result(std::string_view json) {
  try {
    const nlohmann::json totals = nlohmann::json::parse(json).at("totals");
    std::map<std::string, double, std::less<>> values;
    for (const std::string& name : measures_of_every_run()) values[name] = totals.at(name);
    for (const auto& [name, value] : totals.at("counters").items()) values[name] = value;
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
