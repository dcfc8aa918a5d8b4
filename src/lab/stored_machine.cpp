#include "lab/stored_machine.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/set_parameter.h"

namespace heddle::lab {
namespace {

struct Line {
  std::string name;
  std::string value;
};

std::vector<Line> lines_of(const std::string& parameters) {
  constexpr std::string_view kEquals = " = ";
  std::vector<Line> lines;
  std::istringstream text(parameters);
  for (std::string line; std::getline(text, line);) {
    const std::size_t equals = line.find(kEquals);
    if (equals == std::string::npos) throw InputError("'" + line + "' is not 'PARAMETER = VALUE'");
    lines.push_back({line.substr(0, equals), line.substr(equals + kEquals.size())});
  }
  return lines;
}

/// The group of a parameter: "big" for "group.big.sms". Empty for a parameter outside of groups.
std::string group_of(const std::string& parameter) {
  constexpr std::string_view kGroup = "group.";
  if (!parameter.starts_with(kGroup)) return "";
  const std::string rest = parameter.substr(kGroup.size());
  return rest.substr(0, rest.find('.'));
}

}  // namespace

gpu::Machine machine_of_parameters(const std::string& parameters) {
  const std::vector<Line> lines = lines_of(parameters);
  gpu::Machine machine;
  for (const Line& line : lines) {
    const std::string name = group_of(line.name);
    const bool is_known =
        name.empty() || std::any_of(machine.groups.begin(), machine.groups.end(),
                                    [&](const auto& g) { return g.name == name; });
    if (!is_known) machine.groups.push_back({.name = name});
  }
  config::Declarations declarations;
  machine.declare(declarations);
  for (const Line& line : lines) config::set_parameter(declarations, line.name, line.value);
  return machine;
}

}  // namespace heddle::lab
