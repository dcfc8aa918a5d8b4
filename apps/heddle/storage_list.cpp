#include "storage_list.h"

#include <fmt/format.h>

#include <utility>

#include "base/quantity.h"
#include "energy/storage_bits.h"

namespace heddle {
namespace {

using energy::StorageBits;

/// Where the array is, and how often: "4 multiprocessors of 'big'".
std::string places_text(const StorageBits& storage) {
  if (storage.is_in_partition) return count_text(storage.instances, "partition");
  const std::string sms = count_text(storage.instances, "multiprocessor");
  return storage.group.empty() ? sms : fmt::format("{} of '{}'", sms, storage.group);
}

}  // namespace

std::vector<std::vector<std::string>> rows_of_storage(const gpu::Machine& machine) {
  std::vector<std::vector<std::string>> rows{
      {"STORAGE", "BITS", "INSTANCES", "FORMULA", "DESCRIPTION", "SOURCE"}};
  const std::vector<StorageBits> storage = energy::storage_of(machine);
  for (const StorageBits& one : storage) {
    const bool known = one.bits.has_value();
    rows.push_back({std::string(one.array.name),
                    known ? std::to_string(*one.bits) : "no figure: not included", places_text(one),
                    known ? std::string(one.array.bits) : "-", std::string(one.array.meaning),
                    std::string(one.array.source)});
  }
  rows.push_back({"all", std::to_string(energy::total_bits(storage)), "1 chip", "-",
                  "all instances of all arrays", "-"});
  return rows;
}

nlohmann::ordered_json storage_to_json(const gpu::Machine& machine) {
  const std::vector<StorageBits> storage = energy::storage_of(machine);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const StorageBits& one : storage) {
    nlohmann::ordered_json json{{"name", one.array.name}};
    json["bits"] = one.bits ? nlohmann::ordered_json(*one.bits) : nullptr;
    json["places"] = one.instances;
    json["of"] = one.is_in_partition ? "partition" : "multiprocessor";
    if (!one.group.empty()) json["group"] = one.group;
    json["formula"] = one.array.bits;
    json["meaning"] = one.array.meaning;
    json["source"] = one.array.source;
    list.push_back(std::move(json));
  }
  return {{"schema", "heddle-storage-2"},
          {"machine", machine.name},
          {"bits", energy::total_bits(storage)},
          {"storage", std::move(list)}};
}

}  // namespace heddle
