#include "energy/storage.h"

#include <algorithm>
#include <iterator>

#include "energy/storage_bits.h"

namespace heddle::energy {
namespace {

constexpr double kRegisterBytes = 4;  ///< One thread's register.

double bytes_of_sm(const sm::SmDescription& sm, Component component) {
  switch (component) {
    case Component::register_file:
      return kRegisterBytes * sm.residency.registers;
    case Component::shared_memory:
      return sm.residency.shared_bytes;
    case Component::l1:
      return sm.memory.l1.present ? double(sm.memory.l1.cache.bytes) : 0;
    case Component::constant_cache:
      return double(sm.memory.constant.cache.bytes);
    case Component::texture_unit:
      return double(sm.memory.texture.cache.bytes);
    case Component::instruction_fetch:
      return double(sm.icache.bytes);
    default:
      return 0;
  }
}

/// The bytes in the banks that hold the component: more than its own if it shares them.
double bytes_in_banks(const sm::SmDescription& sm, Component component) {
  if (!sm.launch_storage.shared_banks() || !is_in_unified_storage(component)) {
    return bytes_of_sm(sm, component);
  }
  double bytes = 0;
  for (const Component each : kUnifiedStorage) bytes += bytes_of_sm(sm, each);
  return bytes;
}

}  // namespace

bool is_in_unified_storage(Component component) {
  return std::find(std::begin(kUnifiedStorage), std::end(kUnifiedStorage), component) !=
         std::end(kUnifiedStorage);
}

bool has_storage(Component component) {
  switch (component) {
    case Component::register_file:
    case Component::shared_memory:
    case Component::l1:
    case Component::constant_cache:
    case Component::texture_unit:
    case Component::instruction_fetch:
    case Component::scalar_register_file:
    case Component::l2:
      return true;
    default:
      return false;
  }
}

double storage_bytes(const gpu::Machine& machine, Component component) {
  if (component == Component::l2) {
    const memory::PartitionDescription& partition = machine.memory;
    return partition.l2.present ? double(partition.l2.bytes) * partition.memory.partitions : 0;
  }
  if (component == Component::scalar_register_file) {
    // Redundancy policies declare this array, if they have it.
    return mean_bits(storage_of(machine), machine, name_of(component)) / 8 * machine.chip.sms;
  }
  double bytes = 0;
  for (const gpu::SmKind& kind : machine.kinds()) {
    bytes += kind.sms * bytes_of_sm(*kind.sm, component);
  }
  return bytes;
}

double mean_bank_bytes(const gpu::Machine& machine, Component component) {
  if (component == Component::l2 || component == Component::scalar_register_file) {
    const double instances =
        component == Component::l2 ? machine.memory.memory.partitions : machine.chip.sms;
    return storage_bytes(machine, component) / instances;
  }
  double bytes = 0;
  for (const gpu::SmKind& kind : machine.kinds()) {
    bytes += kind.sms * bytes_in_banks(*kind.sm, component);
  }
  return bytes / machine.chip.sms;
}

}  // namespace heddle::energy
