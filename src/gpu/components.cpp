#include "gpu/components.h"

#include "gpu/check_constructible.h"
#include "gpu/chip.h"

namespace heddle::gpu {
namespace {

template <class Component>
void declare(Component& component, CounterSums& sums) {
  CounterList counters;
  component.declare(counters);
  sums.add(counters);
}

CountersByComponent by_component(const CounterSums& sums) {
  CountersByComponent counters;
  for (std::size_t i = 0; i < sums.component_count(); ++i) counters.push_back(sums.counters_of(i));
  return counters;
}

template <class T>
std::vector<T> concatenated(std::vector<T> first, const std::vector<T>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Constructs the components of a machine's chip. The machine must outlive the factory.
class ComponentFactory {
 public:
  explicit ComponentFactory(const Machine& machine)
      : machine_(machine),
        port_(memory::crossbar_port(machine.interconnect, machine.clock.core_mhz,
                                    machine.clock.interconnect_mhz)),
        map_(memory::address_map(machine.memory)) {}

  std::unique_ptr<sm::Sm> sm(const SmKind& kind, std::uint32_t number) const {
    return std::make_unique<sm::Sm>(*kind.sm,
                                    sm::SmPlace{.number = static_cast<std::uint16_t>(number),
                                                .count = machine_.chip.sms,
                                                .core_mhz = machine_.clock.core_mhz,
                                                .interconnect = machine_.interconnect,
                                                .crossbar_port = port_,
                                                .partitions = map_});
  }
  std::unique_ptr<memory::Partition> partition(std::uint32_t number) const {
    const ClockRatio core_to_dram(machine_.clock.core_mhz, machine_.clock.dram_mhz);
    return std::make_unique<memory::Partition>(machine_.memory, machine_.interconnect, port_,
                                               core_to_dram, number, machine_.chip.sms);
  }

 private:
  const Machine& machine_;
  memory::PortParameters port_;
  memory::AddressMap map_;
};

}  // namespace

Components::Components(const Machine& machine) {
  const ComponentFactory factory(machine);
  for (const SmKind& kind : machine.kinds()) {
    for (std::uint32_t i = kind.first; i < kind.first + kind.sms; ++i) {
      sms_.push_back(factory.sm(kind, i));
      declare(*sms_.back(), sm_counters_);
    }
  }
  for (std::uint32_t i = 0; i < machine.memory.memory.partitions; ++i) {
    partitions_.push_back(factory.partition(i));
    declare(*partitions_.back(), partition_counters_);
  }
}

std::vector<CounterName> Components::counter_names() const {
  return concatenated(sm_counters_.names(), partition_counters_.names());
}

std::vector<CounterName> counters_of(const Machine& machine) {
  return Components(machine).counter_names();
}

void check_constructible(const Machine& machine) {
  const ComponentFactory factory(machine);
  for (const SmKind& kind : machine.kinds()) factory.sm(kind, kind.first);
  factory.partition(0);
}

void Components::trace(trace::Trace& trace) {
  trace.attach(static_cast<std::uint32_t>(sms_.size()),
               static_cast<std::uint32_t>(partitions_.size()));
  for (std::uint32_t i = 0; i < sms_.size(); ++i) sms_[i]->trace(trace.sm(i));
  for (std::uint32_t i = 0; i < partitions_.size(); ++i) {
    partitions_[i]->trace(trace.partition(i));
  }
}

void Components::inject(sm::FaultInjection& injection) {
  injection.moments.assign(sms_.size(), {});
  if (injection.fault) {
    sms_.at(injection.fault->sm)->inject(injection);
    return;
  }
  for (const auto& sm : sms_) sm->inject(injection);
}

std::vector<std::uint64_t> Components::counters() const {
  return concatenated(sm_counters_.sums(), partition_counters_.sums());
}

ComponentCounters Components::counters_by_component() const {
  return {.sms = by_component(sm_counters_), .partitions = by_component(partition_counters_)};
}

CountersByComponent Components::counters_by_kind(const std::vector<SmKind>& kinds) const {
  CountersByComponent counters;
  for (const SmKind& kind : kinds) {
    std::vector<std::uint64_t>& sums =
        counters.emplace_back(sm_counters_.names().size() + partition_counters_.names().size(), 0);
    for (std::uint32_t i = kind.first; i < kind.first + kind.sms; ++i) {
      const std::vector<std::uint64_t> added = sm_counters_.counters_of(i);
      for (std::size_t c = 0; c < added.size(); ++c) sums[c] += added[c];
    }
  }
  return counters;
}

}  // namespace heddle::gpu
