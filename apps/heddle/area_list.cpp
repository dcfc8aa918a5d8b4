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

/// Throws InputError if the technology states no areas.
energy::Area area_or_throw(const energy::Technology& technology, const gpu::Machine& machine) {
  const std::optional<energy::Area> area = energy::area_of(technology, machine);
  if (!area) {
    throw InputError(fmt::format("technology '{}' declares no [[area]]", technology.name));
  }
  return *area;
}

/// The area with all digits, down to the square micrometre, so that the listed areas add up.
std::string square_millimetres(energy::SquareMicrometres area) {
  const energy::SquareMicrometres size = std::abs(area);
  return fmt::format("{}{}.{:06}", area < 0 ? "-" : "", size / 1'000'000, size % 1'000'000);
}

/// How the technology states the area of a part.
std::string stated_text(const AreaPart& part) {
  const double area = part.square_millimetres;
  if (part.scales_with_registers)
    return fmt::format("{} per KB beyond {:g}", area, part.beyond_kilobytes);
  return part.times == 1 ? fmt::format("{}", area) : fmt::format("{:g} of {}", part.times, area);
}

/// Why the part's area is not counted on any multiprocessor; empty if it is counted where the part
/// is present.
std::string exclusion_reason(const AreaPart& part) {
  if (!part.included_in.empty()) return fmt::format("included in {}", part.included_in);
  return part.not_built;
}

}  // namespace

std::vector<std::vector<std::string>> rows_of_area(const energy::Technology& technology,
                                                   const gpu::Machine& machine) {
  std::vector<std::vector<std::string>> rows{
      {"AREA", "MM2", "INSTANCES", "CHIP TOTAL", "STATED", "SOURCE"}};
  const energy::Area area = area_or_throw(technology, machine);
  for (const PartArea& part : area.parts) {
    const std::string why = exclusion_reason(*part.part);
    rows.push_back({part.part->name, why.empty() ? square_millimetres(part.per_sm) : "-",
                    why.empty() ? count_text(part.sm_count, "multiprocessor") : why,
                    square_millimetres(part.of_chip), stated_text(*part.part),
                    part.part->origin.source});
  }
  rows.push_back({"all", "-", count_text(machine.chip.sms, "multiprocessor"),
                  square_millimetres(area.chip()), "-", "-"});
  return rows;
}

nlohmann::ordered_json area_to_json(const energy::Technology& technology,
                                    const gpu::Machine& machine) {
  const energy::Area area = area_or_throw(technology, machine);
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const PartArea& part : area.parts) {
    nlohmann::ordered_json json{{"name", part.part->name},
                                {"square_millimetres", energy::in_square_millimetres(part.per_sm)},
                                {"places", part.sm_count},
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
