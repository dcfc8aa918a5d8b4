#include "gpu/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sm/instructions/issue_table.h"

namespace heddle::gpu {
namespace {

void check_groups(const Machine& machine) {
  std::uint64_t sms = 0;
  for (const SmGroup& group : machine.groups) {
    if (group.sms == 0) {
      throw InputError(fmt::format(
          "group '{0}' has no multiprocessors: set their number with group.{0}.sms", group.name));
    }
    sms += group.sms;
  }
  if (sms > machine.chip.sms) {
    throw InputError(fmt::format("the groups need {} multiprocessors, but chip.sms is {}", sms,
                                 machine.chip.sms));
  }
}

void check_multiprocessor(const sm::SmDescription& sm,
                          const memory::PartitionDescription& partition) {
  sm.check();
  sm.memory.check(partition.memory.interleave_bytes);
  if (sm.memory.lsu.request_bytes > partition.block_bytes()) {
    throw InputError(fmt::format(
        "lsu.request_bytes is {}, but a memory partition takes requests of at most {} bytes: an L2 "
        "line or, without an L2, a block of DRAM",
        sm.memory.lsu.request_bytes, partition.block_bytes()));
  }
}

}  // namespace

void ChipDescription::declare(config::Declarations& parameters) {
  parameters.number("sms", sms, {.least = 1, .most = 1024}, "streaming multiprocessors");
  parameters.flag(
      "groups_first", groups_first,
      "whether the multiprocessors of groups have the lowest numbers; otherwise those in "
      "no group have them");
}

void ClockDescription::declare(config::Declarations& parameters) {
  const config::Domain domain{.unit = "MHz", .least = 1, .most = 100000};
  parameters.number("core_mhz", core_mhz, domain,
                    "clock of the multiprocessors and the L2, in which core cycles are counted");
  parameters.number("interconnect_mhz", interconnect_mhz, domain, "clock of the crossbar's ports");
  parameters.number("dram_mhz", dram_mhz, domain,
                    "clock of DRAM commands, in which DRAM cycles are counted");
}

void IsaDescription::declare(config::Declarations& parameters) {
  parameters.flag(
      "fused_multiply_add", fused_multiply_add,
      "whether a multiplication and an addition of its product may be one instruction. Otherwise "
      "workloads run kernels that nvcc compiled with -fmad=false, and Heddle's compiler makes no "
      "multiply-adds; those in other PTX, of --ptx or a CUDA program, remain");
  parameters.flag(
      "optimisation", optimisation,
      "whether the compiler optimises: fuses instructions, drops repeated computations, copies and "
      "constants, shortens branches, unrolls loops. Otherwise each PTX instruction is executed "
      "as it is written, as by simulators that execute PTX");
  parameters.flag(
      "parameter_operands", parameter_operands,
      "whether instructions read kernel parameters as operands without isa.optimisation, too. A "
      "parameter then takes an instruction only if it is used as it is: as an address, or as a "
      "value to store. Conversions of global addresses take none");
  parameters.flag(
      "predication", predication,
      "whether the compiler converts short sides of branches to predicated instructions; only with "
      "isa.optimisation");
  parameters.flag(
      "scheduling", scheduling,
      "whether the compiler schedules the instructions of a basic block, so that results are "
      "available when they are read");
  parameters.flag(
      "one_word_addresses", one_word_addresses,
      "whether a 64-bit integer takes one register of the register file and the time and energy of "
      "a 32-bit integer, as an address of 32 bits does. Otherwise it takes two registers, and its "
      "instructions take as many hardware instructions as a GPU needs for them. Registers per "
      "thread, and so the number of resident blocks, are those of 64-bit addresses in both cases");
  parameters.number("register_reuse_distance", register_reuse_distance,
                    {.unit = "instructions", .least = 0, .most = 1000},
                    "between the last read of a register and the next write to it, as far as a "
                    "thread has registers to spare; this avoids write-after-read stalls");
}

code::MultiplyAdd IsaDescription::multiply_add() const {
  return fused_multiply_add ? code::MultiplyAdd::fused : code::MultiplyAdd::separate;
}

void Machine::declare(config::Declarations& parameters) {
  parameters.part("chip", chip);
  parameters.part("clock", clock);
  parameters.part("isa", isa);
  parameters.part("dispatch", dispatch);
  sm.declare(parameters);
  parameters.part("interconnect", interconnect);
  memory.declare(parameters);
  parameters.part("locality", locality);
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
        "programs are compiled once for all groups, but the groups differ in the levels of "
        "registers that programs are compiled for ([operands])");
  }
  if (dispatch.latency < interconnect.latency) {
    throw InputError(fmt::format(
        "dispatch.latency ({}) must be at least interconnect.latency ({}): the dispatcher learns "
        "of the end of a block, and sends the next block, across the chip",
        dispatch.latency, interconnect.latency));
  }
  dispatch.check(*this);
}

std::vector<SmKind> Machine::kinds() const {
  std::vector<SmKind> kinds;
  std::uint32_t first = 0;
  const auto add = [&](std::string_view group, std::uint32_t sms, const sm::SmDescription& kind) {
    if (sms == 0) return;
    kinds.push_back({.group = group, .first = first, .sms = sms, .sm = &kind});
    first += sms;
  };
  std::uint32_t others = chip.sms;
  for (const SmGroup& group : groups) others -= group.sms;
  if (!chip.groups_first) add({}, others, sm);
  for (const SmGroup& group : groups) add(group.name, group.sms, group.sm);
  if (chip.groups_first) add({}, others, sm);
  return kinds;
}

std::uint32_t Machine::maximum(std::uint32_t sm::ResidencyDescription::*member) const {
  std::uint32_t most = 0;
  for (const SmKind& kind : kinds()) most = std::max(most, kind.sm->residency.*member);
  return most;
}

std::uint32_t Machine::max_registers(std::uint64_t threads) const {
  std::uint32_t most = 0;
  for (const SmKind& kind : kinds()) {
    most = std::max(most, kind.sm->residency.max_registers(threads));
  }
  return most;
}

code::CompileOptions Machine::compile_options() const {
  const std::vector<SmKind> all = kinds();
  const bool needs_marks = std::any_of(all.begin(), all.end(), [](const SmKind& kind) {
    return kind.sm->schedule.suspends_by_marks();
  });
  return {.optimisation = isa.optimisation,
          .parameter_operands = isa.parameter_operands,
          .predication = isa.predication,
          .multiply_add = isa.multiply_add(),
          .scheduling = isa.scheduling,
          .register_reuse_distance = isa.register_reuse_distance,
          .hierarchy = all.front().sm->operands.hierarchy(),
          .suspends_on = needs_marks ? &sm::is_long_latency : nullptr};
}

}  // namespace heddle::gpu
