#include "area_list.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/quantity.h"
#include "energy/area.h"

namespace heddle {
namespace {

using energy::AreaPart;
using energy::PartArea;

energy::Area stated_area(const energy::Technology& technology, const gpu::Machine& machine) {
  const std::optional<energy::Area> area = energy::area_of(technology, machine);
  if (!area) {
    throw InputError(fmt::format("technology '{}' declares no [[area]]", technology.name));
  }
  return *area;
}

/// Exact to the square micrometre, so that the listed areas add up.
std::string square_millimetres(energy::SquareMicrometres area) {
  const energy::SquareMicrometres size = std::abs(area);
  return fmt::format("{}{}.{:06}", area < 0 ? "-" : "", size / 1'000'000, size % 1'000'000);
}

std::string stated(const AreaPart& part) {
  const double area = part.square_millimetres;
  if (part.scales_with_registers)
    return fmt::format("{} per KB beyond {:g}", area, part.beyond_kilobytes);
  return part.times == 1 ? fmt::format("{}", area) : fmt::format("{:g} of {}", part.times, area);
}

/// Why the part is not counted in any multiprocessor's area; empty if it can be counted.
std::string exclusion_reason(const AreaPart& part) {
  if (!part.included_in.empty()) return fmt::format("included in {}", part.included_in);
  return part.not_built;
}

}  // namespace

std::vector<std::vector<std::string>> rows_of_area(const energy::Technology& technology,
                                                   const gpu::Machine& machine) {
  std::vector<std::vector<std::string>> rows{
      {"AREA", "MM2", "INSTANCES", "CHIP TOTAL", "STATED", "SOURCE"}};
  const energy::Area area = stated_area(technology, machine);
  for (const PartArea& part : area.parts) {
    const std::string why = exclusion_reason(*part.part);
    rows.push_back({part.part->name, why.empty() ? square_millimetres(part.per_sm) : "-",
                    why.empty() ? counted(part.places, "multiprocessor") : why,
                    square_millimetres(part.of_chip), stated(*part.part),
                    part.part->origin.source});
  }
  rows.push_back({"all", "-", counted(machine.chip.sms, "multiprocessor"),
                  square_millimetres(area.chip()), "-", "-"});
  return rows;
}

nlohmann::ordered_json area_to_json(const energy::Technology& technology,
                                    const gpu::Machine& machine) {
  const energy::Area area = stated_area(technology, machine);
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const PartArea& part : area.parts) {
    nlohmann::ordered_json json{{"name", part.part->name},
                                {"square_millimetres", energy::in_square_millimetres(part.per_sm)},
                                {"places", part.places},
                                {"of_chip", energy::in_square_millimetres(part.of_chip)},
                                {"stated", part.part->square_millimetres},
                                {"times", part.part->times}};
    if (const std::string why = exclusion_reason(*part.part); !why.empty()) json["why_not"] = why;
    json["source"] = part.part->origin.source;
    parts.push_back(std::move(json));
  }
  const double chip = energy::in_square_millimetres(area.chip());
  return {{"schema", "heddle-area-1"},
          {"machine", machine.name},
          {"technology", technology.name},
          {"chip", chip},
          {"multiprocessor", chip / machine.chip.sms},
          {"parts", std::move(parts)}};
}

}  // namespace heddle
