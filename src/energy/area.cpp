#include "energy/area.h"

#include <algorithm>
#include <cmath>

#include "config/declarations.h"

namespace heddle::energy {
namespace {

constexpr double kBytesPerRegister = 4;  ///< One thread's register.
constexpr double kBytesPerKilobyte = 1024;

/// Whether the parameter of "parameter=value" has the value.
bool holds(const config::Declarations& parameters, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  return parameters.find(setting.substr(0, equals)).value() == setting.substr(equals + 1);
}

/// Whether such a multiprocessor has the part, and the part counts in sums.
bool contains(sm::SmDescription sm, const AreaPart& part) {
  if (!part.not_built.empty() || !part.included_in.empty()) return false;
  config::Declarations parameters;
  sm.declare(parameters);
  return std::all_of(part.where.begin(), part.where.end(),
                     [&](const std::string& setting) { return holds(parameters, setting); });
}

SquareMicrometres area_on(const sm::SmDescription& sm, const AreaPart& part) {
  double times = part.times;
  if (part.scales_with_registers) {
    times = kBytesPerRegister * sm.residency.registers / kBytesPerKilobyte - part.beyond_kilobytes;
  }
  return std::llround(1e6 * times * part.square_millimetres);
}

}  // namespace

SquareMicrometres Area::chip() const {
  SquareMicrometres sum = 0;
  for (const PartArea& part : parts) sum += part.of_chip;
  return sum;
}

PartArea area_of(const AreaPart& part, const gpu::Machine& machine) {
  PartArea area{.part = &part};
  for (const gpu::SmKind& kind : machine.kinds()) {
    if (!contains(*kind.sm, part)) continue;
    area.sm_count += kind.sms;
    area.of_chip += kind.sms * area_on(*kind.sm, part);
  }
  if (area.sm_count != 0) area.per_sm = area.of_chip / area.sm_count;
  return area;
}

std::optional<Area> area_of(const Technology& technology, const gpu::Machine& machine) {
  if (technology.areas.empty()) return std::nullopt;
  Area area;
  for (const AreaPart& part : technology.areas) area.parts.push_back(area_of(part, machine));
  return area;
}

}  // namespace heddle::energy
