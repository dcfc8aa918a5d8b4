#include "gpu/components.h"

namespace heddle::gpu {
namespace {

/// Adds up lists of components of one make, which lie one behind the other.
void add_up(const CounterList& list, std::size_t components, std::vector<std::uint64_t>& sums) {
  const std::size_t each = list.all().size() / components;
  const std::size_t first = sums.size();
  sums.resize(first + each, 0);
  for (std::size_t i = 0; i < list.all().size(); ++i) {
    sums[first + i % each] += *list.all()[i].value;
  }
}

}  // namespace

Components::Components(const Machine& machine) {
  const memory::PortParameters port = memory::crossbar_port(
      machine.interconnect, machine.clock.core_mhz, machine.clock.interconnect_mhz);
  const memory::AddressMap map = memory::address_map(machine.memory);
  for (std::uint32_t i = 0; i < machine.chip.sms; ++i) {
    sms_.push_back(
        std::make_unique<sm::Sm>(machine.sm, sm::SmPlace{.number = static_cast<std::uint16_t>(i),
                                                         .count = machine.chip.sms,
                                                         .core_mhz = machine.clock.core_mhz,
                                                         .interconnect = machine.interconnect,
                                                         .crossbar_port = port,
                                                         .partitions = map}));
    sms_.back()->declare(sm_counters_);
  }
  const ClockRatio core_to_dram(machine.clock.core_mhz, machine.clock.dram_mhz);
  for (std::uint32_t i = 0; i < machine.memory.memory.partitions; ++i) {
    partitions_.push_back(std::make_unique<memory::Partition>(
        machine.memory, machine.interconnect, port, core_to_dram, i, machine.chip.sms));
    partitions_.back()->declare(partition_counters_);
  }
  const auto name = [&](const CounterList& list, std::size_t components) {
    for (std::size_t i = 0; i < list.all().size() / components; ++i) {
      const Counter& counter = list.all()[i];
      names_.push_back({counter.name, counter.unit, counter.meaning});
    }
  };
  name(sm_counters_, sms_.size());
  name(partition_counters_, partitions_.size());
}

std::vector<std::uint64_t> Components::counters() const {
  std::vector<std::uint64_t> sums;
  sums.reserve(names_.size());
  add_up(sm_counters_, sms_.size(), sums);
  add_up(partition_counters_, partitions_.size(), sums);
  return sums;
}

}  // namespace heddle::gpu
