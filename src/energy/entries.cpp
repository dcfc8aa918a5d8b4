#include "energy/entries.h"

#include <algorithm>
#include <string_view>

#include "energy/parameter_value.h"

namespace heddle::energy {
namespace {

/// The parameter's value; 0 if the multiprocessor's policies do not declare the parameter.
double value_of(const config::Declarations& parameters, std::string_view name) {
  const auto& all = parameters.all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const config::Parameter& parameter) {
    return parameter.name == name;
  });
  return found == all.end() ? 0 : number_of(*found);
}

}  // namespace

double cost_entries(const config::Declarations& multiprocessor) {
  const double entries = value_of(multiprocessor, "operands.entries");
  const double cost = value_of(multiprocessor, "operands.cost_entries");
  return entries > 0 && cost > 0 ? cost : entries;
}

std::set<double> cost_entries(const gpu::Machine& machine) {
  std::set<double> numbers;
  for (const gpu::SmKind& kind : machine.kinds()) {
    sm::SmDescription described = *kind.sm;
    config::Declarations parameters;
    described.declare(parameters);
    numbers.insert(cost_entries(parameters));
  }
  numbers.erase(0);
  return numbers;
}

}  // namespace heddle::energy
