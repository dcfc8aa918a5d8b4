#include "energy/read_areas.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "energy/figures.h"
#include "sm/sm_description.h"

namespace heddle::energy {
namespace {

using config::TomlTable;

constexpr const char* kRegisters = "register_file";

/// Checks that "parameter=value" names a multiprocessor's parameter and one of its values.
void check_setting(const TomlTable& table, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos) {
    table.fail("where", fmt::format("'{}' is not 'parameter=value'", setting));
  }
  sm::SmDescription sm;
  config::Declarations parameters;
  sm.declare(parameters);
  const config::Parameter& parameter = table.at("where", [&]() -> const config::Parameter& {
    return parameters.find(setting.substr(0, equals));
  });
  const std::string value = setting.substr(equals + 1);
  const std::vector<std::string>& choices = parameter.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) {
    table.fail("where", fmt::format("'{}' cannot be '{}'{}", parameter.name, value,
                                    suggestion(value, choices)));
  }
}

/// The key's value in square millimetres.
double area_in(const TomlTable& table, const char* key) {
  constexpr double kMaxSquareMillimetres = 1e6;
  const double value = read_figure(table, key);
  require_within(table, key, value, 0, kMaxSquareMillimetres);
  return value;
}

AreaPart read_part(const TomlTable& table, const Technology& technology) {
  AreaPart part{.name = table.text("of"),
                .where = table.texts("where"),
                .included_in = table.text("included_in", ""),
                .not_built = table.text("not_built", ""),
                .origin = {.source = table.text("source"),
                           .technology = technology.name,
                           .place = table.location("of")}};
  part.scales_with_registers = table.has("square_millimetres_per_kilobyte");
  if (part.scales_with_registers == table.has("square_millimetres")) {
    table.fail("of", fmt::format("'{}' needs either 'square_millimetres' or "
                                 "'square_millimetres_per_kilobyte'",
                                 part.name));
  }
  part.square_millimetres = area_in(
      table, part.scales_with_registers ? "square_millimetres_per_kilobyte" : "square_millimetres");
  if (part.scales_with_registers && part.name != kRegisters) {
    table.fail("of", fmt::format("only '{}' can have an area per kilobyte", kRegisters));
  }
  if (part.scales_with_registers != table.has("beyond_kilobytes")) {
    table.fail("of",
               "'beyond_kilobytes' must be given with 'square_millimetres_per_kilobyte', and only "
               "with it: the number of kilobytes that another part's area includes");
  }
  if (part.scales_with_registers) {
    part.beyond_kilobytes = read_figure(table, "beyond_kilobytes");
    require_within(table, "beyond_kilobytes", part.beyond_kilobytes, 0);
  }
  if (table.has("times")) {
    part.times = read_figure(table, "times");
    require_within(table, "times", part.times, 0);
  }
  for (const std::string& setting : part.where) check_setting(table, setting);
  return part;
}

}  // namespace

void read_areas(const TomlTable& top, Technology& technology) {
  for (const TomlTable& table :
       top.tables("area", {"of", "square_millimetres", "times", "square_millimetres_per_kilobyte",
                           "beyond_kilobytes", "where", "included_in", "not_built", "source"})) {
    AreaPart part = read_part(table, technology);
    const auto is_named = [&](const std::string& name) {
      return std::any_of(technology.areas.begin(), technology.areas.end(),
                         [&](const AreaPart& other) { return other.name == name; });
    };
    if (is_named(part.name)) table.fail("of", fmt::format("'{}' is stated twice", part.name));
    if (!part.included_in.empty() && !is_named(part.included_in)) {
      table.fail("included_in",
                 fmt::format("no [[area]] of '{}' precedes this one", part.included_in));
    }
    technology.areas.push_back(std::move(part));
  }
}

const AreaPart& area_named(const TomlTable& table, std::string_view key,
                           const Technology& technology) {
  const std::string name = table.text(key);
  const auto found = std::find_if(technology.areas.begin(), technology.areas.end(),
                                  [&](const AreaPart& part) { return part.name == name; });
  if (found == technology.areas.end()) {
    table.fail(key, fmt::format("unknown area '{}': no [[area]] table has this name", name));
  }
  return *found;
}

}  // namespace heddle::energy
