#include "lab/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"

namespace heddle::lab {

const std::string* Row::substitute_of(std::string_view variant) const {
  const auto found = std::find_if(substitutes.begin(), substitutes.end(),
                                  [&](const auto& pair) { return pair.first == variant; });
  return found == substitutes.end() ? nullptr : &found->second;
}

std::size_t Experiment::variant_index(std::string_view wanted) const {
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const Variant& variant) { return variant.name == wanted; });
  if (found == variants.end()) throw std::logic_error("no variant has this name");
  return static_cast<std::size_t>(found - variants.begin());
}

std::vector<std::size_t> Experiment::simulated_variants() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (variants[i].is_simulated()) indices.push_back(i);
  }
  return indices;
}

std::vector<std::string> Experiment::groups() const {
  std::vector<std::string> groups;
  for (const Row& row : rows) {
    if (row.group.empty()) continue;
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) {
      groups.push_back(row.group);
    }
  }
  return groups;
}

Experiment load_experiment(const std::string& name) {
  if (name.ends_with(".toml")) {
    return read_experiment(read_file(name), std::filesystem::path(name).stem().string(), name);
  }
  std::vector<std::string> names;
  for (const KnownExperiment& known : known_experiments()) {
    if (known.name == name) {
      return read_experiment(known.text, name,
                             fmt::format("descriptions/experiments/{}.toml", name));
    }
    names.emplace_back(known.name);
  }
  throw InputError(
      fmt::format("unknown experiment '{}'{} (see 'heddle list experiments'; the name of a file "
                  "must end in .toml)",
                  name, suggestion(name, names)));
}

}  // namespace heddle::lab
