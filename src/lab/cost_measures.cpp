#include "lab/cost_measures.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "energy/area.h"
#include "energy/storage_bits.h"

namespace heddle::lab {
namespace {

constexpr const char* kAllBits = "storage.bits";

std::string measure_of(std::string_view array) { return "storage." + std::string(array); }

std::string why_none(const std::vector<energy::StorageBits>& storage, const std::string& measure) {
  for (const energy::StorageBits& array_bits : storage) {
    if (array_bits.bits || (measure != kAllBits && measure != measure_of(array_bits.array.name)))
      continue;
    return fmt::format("the number of bits is unknown: {} ({})", array_bits.array.name,
                       array_bits.array.source);
  }
  return "";
}

}  // namespace

const std::vector<std::string>& storage_measures() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{kAllBits};
    for (const std::string_view array : energy::storage_names()) all.push_back(measure_of(array));
    return all;
  }();
  return names;
}

std::string why_no_storage_measure(const gpu::Machine& machine, const std::string& measure) {
  return why_none(energy::storage_of(machine), measure);
}

Measures add_storage_measures(const gpu::Machine& machine, const Measures& measures) {
  const std::vector<energy::StorageBits> storage = energy::storage_of(machine);
  std::map<std::string, double, std::less<>> values = measures.all();
  const auto add = [&](const std::string& measure, double bits) {
    if (why_none(storage, measure).empty()) values[measure] = bits;
  };
  add(kAllBits, static_cast<double>(energy::total_bits(storage)));
  for (const std::string_view array : energy::storage_names()) {
    add(measure_of(array), energy::mean_bits(storage, machine, array));
  }
  return Measures(std::move(values));
}

const std::vector<std::string>& area_measures() {
  static const std::vector<std::string> names{"area.sm", "area.chip"};
  return names;
}

Measures add_area_measures(const energy::Technology& technology, const gpu::Machine& machine,
                           const Measures& measures) {
  const std::optional<energy::Area> area = energy::area_of(technology, machine);
  if (!area) return measures;
  std::map<std::string, double, std::less<>> values = measures.all();
  const double chip = energy::in_square_millimetres(area->chip());
  values["area.chip"] = chip;
  values["area.sm"] = chip / machine.chip.sms;
  return Measures(std::move(values));
}

}  // namespace heddle::lab
