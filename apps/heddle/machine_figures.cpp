#include "machine_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

constexpr double kThreadsOfWarp = 32;

double threads_per_cycle(const sm::UnitDescription& unit) {
  return static_cast<double>(unit.lanes) * unit.pipes / unit.interval;
}

}  // namespace

std::string display_name(const gpu::SmKind& kind) {
  return kind.group.empty() ? "others" : fmt::format("'{}'", kind.group);
}

std::optional<std::uint32_t> uniform_capacity(const gpu::Machine& machine,
                                              std::uint32_t sm::ResidencyDescription::*parameter) {
  const std::uint32_t capacity = machine.maximum(parameter);
  for (const gpu::SmKind& kind : machine.kinds()) {
    if (kind.sm->residency.*parameter != capacity) return std::nullopt;
  }
  return capacity;
}

MachinePeaks peaks_of(const gpu::Machine& machine) {
  const memory::DramDescription& dram = machine.memory.dram;
  MachinePeaks peaks{.dram_bytes = 1e6 * machine.clock.dram_mhz * dram.bandwidth_bytes /
                                   dram.bandwidth_cycles * machine.memory.memory.partitions};
  for (const gpu::SmKind& kind : machine.kinds()) {
    const double sms = kind.sms;
    const sm::UnitsDescription& units = kind.sm->units;
    const double issue_rate = kind.sm->schedulers() * kThreadsOfWarp;
    const std::uint32_t sub_cores = kind.sm->sub_cores.count;
    const double integer = sub_cores * threads_per_cycle(units.integer);
    const double fp32 = sub_cores * threads_per_cycle(units.fp32);
    const double arithmetic = units.shared_alu ? std::max(integer, fp32) : integer + fp32;
    peaks.warp_instructions += std::uint64_t{kind.sms} * kind.sm->schedulers();
    peaks.arithmetic_threads += sms * std::min(issue_rate, arithmetic);
    peaks.fp32_operations += 2 * sms * std::min(issue_rate, fp32) * 1e6 * machine.clock.core_mhz;
  }
  return peaks;
}

MachineLatencies latencies_of(const gpu::Machine& machine, const sm::SmDescription& sm) {
  const sm::LoadStoreDescription& unit = sm.memory;
  const memory::DramDescription& dram = machine.memory.dram;
  // The L1 lookup takes one cycle.
  const std::uint64_t round_trip =
      std::uint64_t{unit.lsu.address_cycles} + 1 + 2 * std::uint64_t{machine.interconnect.latency};
  // DRAM cycles as core cycles, rounded up.
  const auto in_core_cycles = [&](std::uint64_t dram_cycles) {
    const std::uint64_t product = dram_cycles * machine.clock.core_mhz;
    return (product + machine.clock.dram_mhz - 1) / machine.clock.dram_mhz;
  };
  const memory::DramProperties properties = dram.properties();
  const auto to_dram = [&](std::uint64_t latency) {
    return round_trip + in_core_cycles(latency + dram.overhead);
  };
  return {.l1_hit =
              unit.l1.present ? std::uint64_t{unit.lsu.address_cycles} + unit.l1.cache.latency : 0,
          .l2_hit = machine.memory.l2.present ? round_trip + machine.memory.l2.latency : 0,
          .dram = to_dram(properties.latency),
          .dram_conflict = to_dram(properties.conflict_latency)};
}

}  // namespace heddle
