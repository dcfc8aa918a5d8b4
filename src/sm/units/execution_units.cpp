#include "sm/units/execution_units.h"

#include <fmt/format.h>

#include <bit>
#include <string_view>

#include "base/error.h"
#include "base/lane_mask.h"
#include "sm/units/slices.h"

namespace heddle::sm {
namespace {

constexpr auto kThreads = static_cast<std::uint32_t>(kWarpSize);
constexpr std::string_view kNames[] = {"integer", "fp32", "fp64", "special"};

std::size_t index_of(UnitKind kind) { return static_cast<std::size_t>(kind); }

void check(std::string_view name, const UnitDescription& unit, std::size_t max_pipes) {
  if (!std::has_single_bit(unit.lanes) || unit.lanes > kThreads) {
    throw InputError(fmt::format(
        "units.{}.lanes is {}: it must be 1, 2, 4, 8, 16 or 32, so that a warp's {} threads form "
        "equal slices",
        name, unit.lanes, kThreads));
  }
  if (unit.latency == 0 || unit.interval == 0) {
    throw InputError(
        fmt::format("units.{0}.latency and units.{0}.interval must be at least 1 cycle", name));
  }
  if (unit.pipes == 0 || unit.pipes > max_pipes) {
    throw InputError(
        fmt::format("units.{}.pipes is {}: it must be 1 to {}", name, unit.pipes, max_pipes));
  }
}

}  // namespace

void UnitDescription::declare(config::Declarations& parameters) {
  parameters.number("lanes", lanes, {.unit = "threads", .least = 1, .most = 32},
                    "width of the unit: threads of a warp that it accepts together, a power of "
                    "two");
  parameters.number("latency", latency, {.unit = "cycles", .least = 1, .most = 4096},
                    "latency from accepting threads until their results can be used");
  parameters.number("interval", interval, {.unit = "cycles", .least = 1, .most = 1024},
                    "initiation interval: from accepting threads until it accepts the next ones");
  parameters.number("pipes", pipes, {.least = 1, .most = 8},
                    "copies of the unit; each executes another warp");
}

void MultiplicationDescription::declare(config::Declarations& parameters) {
  parameters.number("instructions", instructions, {.least = 1, .most = 7},
                    "hardware instructions that an integer multiplication of 32 bits represents, "
                    "with or without an addition: 1 if the unit multiplies 32 bits at once");
  parameters.number("delay", delay, {.unit = "cycles", .least = 0, .most = 1024},
                    "part of the latency of an integer multiplication of 32 bits beyond that of "
                    "its hardware instructions");
}

void UnitsDescription::declare(config::Declarations& parameters) {
  parameters.part("integer", integer);
  parameters.part("integer.multiplication", multiplication);
  parameters.part("fp32", fp32);
  parameters.part("fp64", fp64);
  parameters.part("special", special);
  parameters.flag("shared_alu", shared_alu,
                  "whether integer and fp32 instructions share the same pipes");
  parameters.flag("chained", chained,
                  "whether the first threads of a dependent instruction may start before the last "
                  "threads of the instruction it depends on are done");
  parameters.flag(
      "bypass", bypass,
      "whether the last stage of arithmetic units forwards a thread's result to their first stage, "
      "before it is written to the register file");
  parameters.number("register_cycles", register_cycles, {.unit = "cycles", .least = 1, .most = 64},
                    "part of a unit's latency that a bypass saves: from its last stage through the "
                    "register file to its first stage");
}

void UnitCounters::declare(CounterList& counters) {
  counters.add("instructions", instructions, "instructions", "of warps that the unit executed");
  counters.add("busy_cycles", busy_cycles, "cycles",
               "in which the unit accepted threads, summed over its pipes");
  counters.add(
      "lane_operations", lane_operations, "operations",
      "of single lanes: threads whose guard holds, times the hardware instructions that an "
      "instruction represents");
}

ExecutionUnits::ExecutionUnits(const UnitsDescription& description) {
  const UnitDescription* const descriptions[kUnits] = {&description.integer, &description.fp32,
                                                       &description.fp64, &description.special};
  for (std::size_t i = 0; i < kUnits; ++i) check(kNames[i], *descriptions[i], kMaxPipes);
  if (description.shared_alu && description.integer.pipes != description.fp32.pipes) {
    throw InputError(fmt::format(
        "units.integer.pipes is {} and units.fp32.pipes is {}: with units.shared_alu they must be "
        "equal",
        description.integer.pipes, description.fp32.pipes));
  }
  for (std::size_t i = 0; i < kUnits; ++i) {
    const UnitDescription& unit = *descriptions[i];
    const bool shares_integer_pipes = i == index_of(UnitKind::fp32) && description.shared_alu;
    units_[i] = {.first_pipe = static_cast<std::uint32_t>(
                     (shares_integer_pipes ? index_of(UnitKind::integer) : i) * kMaxPipes),
                 .pipes = unit.pipes,
                 .pass = Cycles(last_slice_start(unit) + unit.interval),
                 .result = Cycles(unit.latency + result_lag(unit, description)),
                 .slice = Cycles(unit.interval)};
  }
}

Cycle ExecutionUnits::execute_slices(UnitKind kind, Cycle start, std::uint32_t expansion,
                                     std::uint32_t slices) {
  assert(slices > 0);
  const Unit& unit = unit_of(kind);
  return execute(kind, start, expansion, std::min(unit.pass, unit.slice * slices));
}

void ExecutionUnits::declare(CounterList& counters) {
  for (std::size_t i = 0; i < kUnits; ++i) counters.part(kNames[i], counters_[i]);
  counters.add("active_cycles", active_.count(), "cycles",
               "in which at least one unit, the load-store unit included, accepted threads, or a "
               "branch was evaluated");
}

}  // namespace heddle::sm
