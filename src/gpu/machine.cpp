#include "gpu/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sm/issue_table.h"

namespace heddle::gpu {
namespace {

void check_groups(const Machine& machine) {
  std::uint64_t sms = 0;
  for (const SmGroup& group : machine.groups) {
    if (group.sms == 0) {
      throw InputError(fmt::format(
          "group '{0}' has no multiprocessors: group.{0}.sms says how many there are", group.name));
    }
    sms += group.sms;
  }
  if (sms > machine.chip.sms) {
    throw InputError(fmt::format("the groups ask for {} multiprocessors; chip.sms is {}", sms,
                                 machine.chip.sms));
  }
}

void check_multiprocessor(const sm::SmDescription& sm,
                          const memory::PartitionDescription& partition) {
  sm.check();
  sm.memory.check(partition.memory.interleave_bytes);
  if (sm.memory.lsu.request_bytes > partition.block_bytes()) {
    throw InputError(fmt::format(
        "lsu.request_bytes is {}, but a partition of memory takes requests of at most {} bytes: a "
        "line of its L2, or what goes to DRAM at once",
        sm.memory.lsu.request_bytes, partition.block_bytes()));
  }
}

}  // namespace

void ChipDescription::declare(config::Declarations& parameters) {
  parameters.number("sms", sms, {.least = 1, .most = 1024}, "streaming multiprocessors");
}

void ClockDescription::declare(config::Declarations& parameters) {
  const config::Domain domain{.unit = "MHz", .least = 1, .most = 100000};
  parameters.number("core_mhz", core_mhz, domain,
                    "of the multiprocessors and the L2; cycles are counted by it");
  parameters.number("interconnect_mhz", interconnect_mhz, domain, "of the crossbar's ports");
  parameters.number("dram_mhz", dram_mhz, domain, "of the memory's commands");
}

void IsaDescription::declare(config::Declarations& parameters) {
  parameters.flag(
      "predication", predication,
      "whether the compiler makes short sides of branches instructions with predicates");
  parameters.flag(
      "scheduling", scheduling,
      "whether the compiler moves the instructions of a block apart, so that results are "
      "there when they are read");
  parameters.number("registers_rest", registers_rest,
                    {.unit = "instructions", .least = 0, .most = 1000},
                    "that a register rests before it is written again, where a thread has a few to "
                    "spare, so that the write waits for no read; 0: it is written at once");
}

void Machine::declare(config::Declarations& parameters) {
  parameters.part("chip", chip);
  parameters.part("clock", clock);
  parameters.part("isa", isa);
  parameters.part("dispatch", dispatch);
  sm.declare(parameters);
  parameters.part("interconnect", interconnect);
  memory.declare(parameters);
  for (SmGroup& group : groups) parameters.part("group." + group.name, group);
}

void Machine::check() const {
  memory.check();
  check_groups(*this);
  for (const SmKind& kind : kinds()) {
    try {
      check_multiprocessor(*kind.sm, memory);
    } catch (const InputError& error) {
      if (kind.group.empty()) throw;
      throw InputError(fmt::format("group '{}': {}", kind.group, error.what()));
    }
  }
  const std::vector<SmKind> all = kinds();
  const auto differs = [&](const SmKind& kind) {
    return kind.sm->operands.hierarchy() != all.front().sm->operands.hierarchy();
  };
  if (std::any_of(all.begin(), all.end(), differs)) {
    throw InputError(
        "programs are compiled once, but groups differ in the levels of registers that they are "
        "compiled for ([operands])");
  }
  if (dispatch.latency < interconnect.latency) {
    throw InputError(fmt::format(
        "dispatch.latency ({}) must not be below interconnect.latency ({}): the end of a block "
        "comes to the dispatcher, and the next one from it, through the chip",
        dispatch.latency, interconnect.latency));
  }
  dispatch.check(*this);
}

std::vector<SmKind> Machine::kinds() const {
  std::vector<SmKind> kinds;
  std::uint32_t first = 0;
  for (const SmGroup& group : groups) {
    kinds.push_back({.group = group.name, .first = first, .sms = group.sms, .sm = &group.sm});
    first += group.sms;
  }
  if (first < chip.sms) {
    kinds.push_back({.group = {}, .first = first, .sms = chip.sms - first, .sm = &sm});
  }
  return kinds;
}

std::uint32_t Machine::most(std::uint32_t sm::ResidencyDescription::*of) const {
  std::uint32_t most = 0;
  for (const SmKind& kind : kinds()) most = std::max(most, kind.sm->residency.*of);
  return most;
}

std::uint32_t Machine::most_registers(std::uint64_t threads) const {
  std::uint32_t most = 0;
  for (const SmKind& kind : kinds()) {
    most = std::max(most, kind.sm->residency.most_registers(threads));
  }
  return most;
}

code::CompileOptions Machine::compile_options() const {
  const std::vector<SmKind> all = kinds();
  const bool marks = std::any_of(all.begin(), all.end(), [](const SmKind& kind) {
    return kind.sm->schedule.suspends_by_marks();
  });
  return {.predication = isa.predication,
          .scheduling = isa.scheduling,
          .registers_rest = isa.registers_rest,
          .hierarchy = all.front().sm->operands.hierarchy(),
          .marks_waits_for = marks ? &sm::is_long_latency : nullptr};
}

}  // namespace heddle::gpu
