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

void check(std::string_view name, const UnitDescription& unit, std::size_t most_pipes) {
  if (!std::has_single_bit(unit.lanes) || unit.lanes > kThreads) {
    throw InputError(fmt::format(
        "units.{}.lanes is {}: a warp's {} threads go through in equal slices of 1, 2, 4, 8, 16 or "
        "32",
        name, unit.lanes, kThreads));
  }
  if (unit.latency == 0 || unit.interval == 0) {
    throw InputError(
        fmt::format("units.{} needs a latency and an interval of at least a cycle", name));
  }
  if (unit.pipes == 0 || unit.pipes > most_pipes) {
    throw InputError(
        fmt::format("units.{}.pipes is {}: there can be 1 to {}", name, unit.pipes, most_pipes));
  }
}

}  // namespace

void UnitDescription::declare(config::Declarations& parameters) {
  parameters.number("lanes", lanes, {.unit = "threads", .least = 1, .most = 32},
                    "the threads of a warp that it takes up at a time: a power of two");
  parameters.number("latency", latency, {.unit = "cycles", .least = 1, .most = 4096},
                    "from taking threads up to when others can use their results");
  parameters.number("interval", interval, {.unit = "cycles", .least = 1, .most = 1024},
                    "from taking threads up to taking up the next ones");
  parameters.number("pipes", pipes, {.least = 1, .most = 8},
                    "copies of the unit, each of which takes a warp of its own");
}

void UnitsDescription::declare(config::Declarations& parameters) {
  parameters.part("integer", integer);
  parameters.part("fp32", fp32);
  parameters.part("fp64", fp64);
  parameters.part("special", special);
  parameters.flag("shared_alu", shared_alu,
                  "whether integer and fp32 instructions go through the same pipes");
  parameters.flag("chained", chained,
                  "whether a warp's next instruction may take its first threads up before the last "
                  "threads of the one it depends on are through");
  parameters.flag(
      "bypass", bypass,
      "whether the last stage of arithmetic units passes a thread's results on to their "
      "first, ahead of the register file");
  parameters.number("register_cycles", register_cycles, {.unit = "cycles", .least = 1, .most = 64},
                    "of a unit's latency: from its last stage through the register file to the "
                    "first, which a bypass saves");
}

void UnitCounters::declare(CounterList& counters) {
  counters.add("instructions", instructions, "instructions", "that warps gave to the unit");
  counters.add("busy_cycles", busy_cycles, "cycles",
               "in which it took up threads, of all its pipes together");
}

ExecutionUnits::ExecutionUnits(const UnitsDescription& description) {
  const UnitDescription* const descriptions[kUnits] = {&description.integer, &description.fp32,
                                                       &description.fp64, &description.special};
  for (std::size_t i = 0; i < kUnits; ++i) check(kNames[i], *descriptions[i], kMostPipes);
  if (description.shared_alu && description.integer.pipes != description.fp32.pipes) {
    throw InputError(fmt::format(
        "with units.shared_alu the pipes of units.integer ({}) and units.fp32 ({}) are the same",
        description.integer.pipes, description.fp32.pipes));
  }
  for (std::size_t i = 0; i < kUnits; ++i) {
    const UnitDescription& unit = *descriptions[i];
    const bool to_integer = i == index_of(UnitKind::fp32) && description.shared_alu;
    units_[i] = {.first_pipe = static_cast<std::uint32_t>(
                     (to_integer ? index_of(UnitKind::integer) : i) * kMostPipes),
                 .pipes = unit.pipes,
                 .pass = Cycles(last_turn(unit) + unit.interval),
                 .result = Cycles(unit.latency + lag_of(unit, description)),
                 .slice = Cycles(unit.interval),
                 .latency = Cycles(unit.latency)};
  }
}

Cycle ExecutionUnits::execute_slices(UnitKind kind, Cycle start, std::uint32_t expansion,
                                     std::uint32_t slices) {
  assert(slices > 0);
  const Unit& unit = unit_of(kind);
  // Chained units may wait for less than the last slice, whatever the number of slices.
  const Cycles last_is_through = unit.slice * (slices - 1) + unit.latency;
  return execute(kind, start, expansion, std::min(unit.pass, unit.slice * slices),
                 std::min(unit.result, last_is_through));
}

void ExecutionUnits::declare(CounterList& counters) {
  for (std::size_t i = 0; i < kUnits; ++i) counters.part(kNames[i], counters_[i]);
  counters.add("active_cycles", active_.count(), "cycles",
               "in which the core worked: at least one unit, the load-store unit included, took up "
               "threads, or a branch was evaluated");
}

}  // namespace heddle::sm
