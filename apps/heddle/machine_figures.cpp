#include "machine_figures.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr double kThreadsOfWarp = 32;

double threads_a_cycle(const sm::UnitDescription& unit) {
  return static_cast<double>(unit.lanes) * unit.pipes / unit.interval;
}

}  // namespace

MachinePeaks peaks_of(const gpu::Machine& machine) {
  const double sms = machine.chip.sms;
  const sm::UnitsDescription& units = machine.sm.units;
  const double issued = machine.sm.schedule.schedulers * kThreadsOfWarp;
  const double integer = threads_a_cycle(units.integer);
  const double fp32 = threads_a_cycle(units.fp32);
  const double arithmetic = units.shared_alu ? std::max(integer, fp32) : integer + fp32;
  const memory::DramDescription& dram = machine.memory.dram;
  return {.warp_instructions = std::uint64_t{machine.chip.sms} * machine.sm.schedule.schedulers,
          .arithmetic_threads = sms * std::min(issued, arithmetic),
          .fp32_operations = 2 * sms * std::min(issued, fp32) * 1e6 * machine.clock.core_mhz,
          .dram_bytes = 1e6 * machine.clock.dram_mhz * dram.bandwidth_bytes /
                        dram.bandwidth_cycles * machine.memory.memory.partitions};
}

MachineLatencies latencies_of(const gpu::Machine& machine) {
  const sm::LoadStoreDescription& unit = machine.sm.memory;
  const memory::DramDescription& dram = machine.memory.dram;
  // The look at the L1 takes a cycle.
  const std::uint64_t there_and_back =
      std::uint64_t{unit.lsu.address_cycles} + 1 + 2 * std::uint64_t{machine.interconnect.latency};
  const auto in_core_cycles = [&](std::uint64_t dram_cycles) {
    const std::uint64_t times = dram_cycles * machine.clock.core_mhz;
    return (times + machine.clock.dram_mhz - 1) / machine.clock.dram_mhz;
  };
  std::uint64_t open = dram.latency;
  std::uint64_t conflict = dram.latency;
  if (dram.has_banks()) {
    open = dram.cas_latency;
    conflict = std::uint64_t{dram.precharge} + dram.activate + dram.cas_latency;
  }
  return {.l1_hit =
              unit.l1.present ? std::uint64_t{unit.lsu.address_cycles} + unit.l1.cache.latency : 0,
          .l2_hit = machine.memory.l2.present ? there_and_back + machine.memory.l2.latency : 0,
          .dram = there_and_back + in_core_cycles(open + dram.overhead),
          .dram_conflict = there_and_back + in_core_cycles(conflict + dram.overhead)};
}

}  // namespace heddle
