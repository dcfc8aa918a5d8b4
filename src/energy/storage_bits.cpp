#include "energy/storage_bits.h"

#include <cmath>
#include <stdexcept>

#include "base/formula.h"
#include "energy/parameter_value.h"

namespace heddle::energy {
namespace {

using config::StorageArray;
using config::StorageList;

/// The array's bits, computed from the parameters of its owner.
std::optional<std::uint64_t> bits_of(const StorageArray& array,
                                     const config::Declarations& parameters) {
  if (array.bits.empty()) return std::nullopt;
  const Formula formula{std::string(array.bits)};
  const std::optional<double> bits = formula.evaluate(
      [&](const std::string& name) { return std::optional(number_of(parameters.find(name))); });
  if (!bits) throw std::logic_error(std::string(array.name) + " divides by zero");
  return static_cast<std::uint64_t>(std::ceil(*bits));
}

/// Appends the arrays of `described` to `storage`. Arrays that its parameters reduce to 0 bits are
/// left out. `where` provides the other members of StorageBits.
template <class Described>
void add_arrays(const StorageList& list, Described described, const StorageBits& where,
                std::vector<StorageBits>& storage) {
  config::Declarations parameters;
  described.declare(parameters);
  for (const StorageArray& array : list.arrays()) {
    const std::optional<std::uint64_t> bits = bits_of(array, parameters);
    if (bits == 0 && array.bits != "0") continue;
    StorageBits& added = storage.emplace_back(where);
    added.array = array;
    added.bits = bits;
  }
}

}  // namespace

std::vector<StorageBits> storage_of(const gpu::Machine& machine) {
  std::vector<StorageBits> storage;
  for (const gpu::SmKind& kind : machine.kinds()) {
    StorageList list;
    kind.sm->storage(list);
    add_arrays(list, *kind.sm, {.instances = kind.sms, .group = std::string(kind.group)}, storage);
  }
  StorageList list;
  memory::PartitionDescription::storage(list);
  add_arrays(list, machine.memory,
             {.instances = machine.memory.memory.partitions, .is_in_partition = true}, storage);
  return storage;
}

std::vector<std::string_view> storage_names() {
  StorageList list(StorageList::Scope::all);
  sm::SmDescription{}.storage(list);
  memory::PartitionDescription::storage(list);
  std::vector<std::string_view> names;
  for (const StorageArray& array : list.arrays()) names.push_back(array.name);
  return names;
}

std::uint64_t total_bits(const std::vector<StorageBits>& storage) {
  std::uint64_t bits = 0;
  for (const StorageBits& array : storage) bits += array.bits.value_or(0) * array.instances;
  return bits;
}

double mean_bits(const std::vector<StorageBits>& storage, const gpu::Machine& machine,
                 std::string_view array) {
  std::uint64_t bits = 0;
  std::uint32_t instances = machine.chip.sms;
  for (const StorageBits& each : storage) {
    if (each.array.name != array) continue;
    bits += each.bits.value_or(0) * each.instances;
    if (each.is_in_partition) instances = each.instances;
  }
  return static_cast<double>(bits) / instances;
}

}  // namespace heddle::energy
