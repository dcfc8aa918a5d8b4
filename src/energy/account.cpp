#include "energy/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/lane_mask.h"
#include "energy/area.h"
#include "energy/charges.h"
#include "energy/figure_in_use.h"
#include "energy/storage.h"

namespace heddle::energy {
namespace {

constexpr double kFigureBytes = 16;  ///< A cache's figure is the energy of moving 16 bytes.
constexpr double kPicojoulesPerJoule = 1e12;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double as_double(std::uint64_t count) { return static_cast<double>(count); }

/// The mean of `value` over all multiprocessors.
template <class Value>
double mean_over_sms(const gpu::Machine& machine, Value value) {
  double sum = 0;
  for (const gpu::SmKind& kind : machine.kinds()) sum += kind.sms * double(value(*kind.sm));
  return sum / machine.chip.sms;
}

/// The bytes that an L1 miss brings in.
double fill_bytes(const sm::SmDescription& sm) {
  const sm::CacheDescription& cache = sm.memory.l1.cache;
  return cache.sector_bytes == 0 ? cache.line_bytes : sm.memory.coalescer.shape.segment_bytes;
}

/// The number of events for each count of a counter.
double times_of(Times times, const gpu::Machine& machine) {
  switch (times) {
    case Times::one:
      return 1;
    case Times::l1_segment:
      return mean_over_sms(machine,
                           [](const sm::SmDescription& sm) {
                             return sm.memory.coalescer.shape.segment_bytes;
                           }) /
             kFigureBytes;
    case Times::l1_fill:
      return mean_over_sms(machine, fill_bytes) / kFigureBytes;
    case Times::l1_line:
      return mean_over_sms(
                 machine,
                 [](const sm::SmDescription& sm) { return sm.memory.l1.cache.line_bytes; }) /
             kFigureBytes;
    case Times::scratchpad_pass:
      return mean_over_sms(machine,
                           [](const sm::SmDescription& sm) {
                             return sm.memory.scratchpad.shape.pass_bytes;
                           }) /
             kFigureBytes;
    case Times::sixteenth:
      return 1 / kFigureBytes;
    case Times::bits:
      return 8;
    case Times::with_l2:
      return machine.memory.l2.present ? 1 : 0;
    case Times::one_lane:
      return 1.0 / kWarpSize;
    case Times::not_done:
      return -1;
    case Times::not_other_lanes:
      return -(1 - 1.0 / kWarpSize);
  }
  return 0;
}

/// Accumulates the energy of a run.
class Ledger {
 public:
  Ledger(const Technology& technology, const gpu::Machine& machine, const RunCounters& run)
      : technology_(technology), machine_(machine), run_(run) {}

  void charge_counters() {
    ByEvent<double> event_counts{};
    for (const auto& [name, count] : run_.counters) {
      const ChargeRule* const rule = find_rule(name);
      if (rule == nullptr) {
        if (count != 0) missing_.push_back(fmt::format("counter {}", name));
        continue;
      }
      if (count != 0 && !rule->by_lane.empty() && !run_.counters.contains(rule->by_lane)) {
        missing_.push_back(fmt::format("counter {}", rule->by_lane));
      }
      for (const Charge& charge : rule->charges) {
        event_counts[charge.event] += as_double(count) * times_of(charge.times, machine_);
      }
      if (rule->operand == Operand::read) operands_read_ += as_double(count);
      if (rule->operand == Operand::written) operands_written_ += as_double(count);
      if (rule->operand == Operand::no_source) operands_read_ -= as_double(count);
      if (rule->operand == Operand::no_result) operands_written_ -= as_double(count);
    }
    for (std::size_t i = 0; i < kEvents; ++i) {
      const auto event = static_cast<Event>(i);
      if (event_counts[event] > 0) charge(event, event_counts[event]);
    }
  }

  void charge_leakage(double seconds) {
    for (std::size_t i = 0; i < kComponents; ++i) {
      const auto component = static_cast<Component>(i);
      if (!is_present(component)) continue;
      const std::optional<StaticPower>& power = technology_.powers[component];
      if (!power) {
        missing_.push_back(fmt::format("leakage of {}", name_of(component)));
      } else if (!power->included_in) {
        static_[component] =
            power->watts * unit_count(*power, component) * seconds * kPicojoulesPerJoule;
      }
    }
  }

  Account result(double seconds) const {
    Account account{.technology = technology_.name,
                    .missing = missing_,
                    .estimated = estimated_,
                    .seconds = seconds,
                    .sms = machine_.chip.sms,
                    .thread_instructions = run_.find("sm.thread_instructions"),
                    .registers = {.in_main_file = in_main_file()},
                    .chip_model = technology_.chip_model};
    for (std::size_t i = 0; i < kComponents; ++i) {
      const auto component = static_cast<Component>(i);
      const ComponentEnergy energy{
          .component = component,
          .dynamic_energy = static_cast<Picojoules>(std::llround(dynamic_[component])),
          .static_energy = static_cast<Picojoules>(std::llround(static_[component]))};
      if (energy.total() != 0) account.components.push_back(energy);
      if (belongs_to_register_files(component)) account.registers.actual += energy.dynamic_energy;
    }
    return account;
  }

 private:
  void charge(Event event, double count) {
    const EventDescription& description = description_of(event);
    const std::optional<EventEnergy>& energy = technology_.energies[event];
    if (!energy) {
      missing_.emplace_back(description.name);
    } else if (!energy->included_in) {
      const FigureInUse figure = figure_in_use(event, *energy, machine_);
      if (!figure.missing.empty()) missing_.push_back(figure.missing);
      if (!figure.estimated.empty()) estimated_.push_back(figure.estimated);
      dynamic_[description.component] += count * figure.picojoules;
    }
  }

  /// The energy of one event; 0 if the event has no figure of its own.
  double picojoules_of(Event event) const {
    const std::optional<EventEnergy>& energy = technology_.energies[event];
    if (!energy || energy->included_in) return 0;
    return figure_in_use(event, *energy, machine_).picojoules;
  }

  /// The energy of all operands in the main register file. It is rounded by component, as the
  /// components' energies are: if all operands are in the main register file, the saving is exactly
  /// 0.
  Picojoules in_main_file() const {
    const auto rounded_energy = [&](Event read, Event written) {
      return static_cast<Picojoules>(std::llround(operands_read_ * picojoules_of(read) +
                                                  operands_written_ * picojoules_of(written)));
    };
    return rounded_energy(Event::register_read, Event::register_written) +
           rounded_energy(Event::register_read_carried, Event::register_written_carried);
  }

  /// Whether the machine has the component and the component leaks.
  bool is_present(Component component) const {
    if (has_storage(component)) return storage_bytes(machine_, component) > 0;
    return component == Component::core || component == Component::uncore ||
           technology_.powers[component].has_value();
  }

  /// How many of the component's kilobytes were switched off, in the mean over the run. What is
  /// switched off of unified storage counts for its components by their nominal sizes.
  double kilobytes_off(Component component) const {
    const double off = as_double(run_.find("storage.off_kilobyte_cycles"));
    if (off == 0 || !is_in_unified_storage(component)) return 0;
    double all = 0;
    for (const Component each : kUnifiedStorage) all += storage_bytes(machine_, each);
    return off / as_double(run_.cycles) * storage_bytes(machine_, component) / all;
  }

  /// How many units the power applies to: kilobytes, square millimetres, multiprocessors, ...
  double unit_count(const StaticPower& power, Component component) const {
    switch (power.unit) {
      case PowerUnit::kilobyte:
        return storage_bytes(machine_, component) / 1024 - kilobytes_off(component);
      case PowerUnit::square_millimetre:
        return in_square_millimetres(area_of(*power.area, machine_).of_chip);
      case PowerUnit::multiprocessor:
        return machine_.chip.sms;
      case PowerUnit::partition:
        return machine_.memory.memory.partitions;
      case PowerUnit::chip:
        return 1;
    }
    return 0;
  }

  const Technology& technology_;
  const gpu::Machine& machine_;
  const RunCounters& run_;
  ByComponent<double> dynamic_{};  ///< Picojoules.
  ByComponent<double> static_{};   ///< Picojoules.
  double operands_read_ = 0;       ///< Number of warp registers that instructions read.
  double operands_written_ = 0;
  std::vector<std::string> missing_;
  std::vector<std::string> estimated_;
};

}  // namespace

RunCounters RunCounters::from_values(const std::vector<gpu::CounterName>& names,
                                     const std::vector<std::uint64_t>& values,
                                     std::uint64_t cycles) {
  RunCounters run{.cycles = cycles};
  for (std::size_t i = 0; i < values.size(); ++i) run.counters[names.at(i).name] = values[i];
  return run;
}

std::uint64_t RunCounters::find(std::string_view counter) const {
  const auto found = counters.find(counter);
  return found == counters.end() ? 0 : found->second;
}

double RegisterEnergy::fraction_of_main_file(Picojoules energy) const {
  return ratio(as_double(energy), as_double(in_main_file));
}

double RegisterEnergy::saved_fraction() const {
  return in_main_file == 0 ? 0 : 1 - fraction_of_main_file(actual);
}

Picojoules Account::total() const {
  Picojoules sum = 0;
  for (const ComponentEnergy& component : components) sum += component.total();
  return sum;
}

Picojoules Account::chip_total() const { return total() - find(Component::dram).total(); }

ComponentEnergy Account::find(Component component) const {
  const auto found = std::find_if(components.begin(), components.end(), [&](const auto& energy) {
    return energy.component == component;
  });
  return found == components.end() ? ComponentEnergy{.component = component} : *found;
}

double Account::watts() const { return ratio(in_joules(total()), seconds); }
double Account::chip_watts() const { return ratio(in_joules(chip_total()), seconds); }
double Account::joules_per_instruction() const {
  return ratio(in_joules(total()), as_double(thread_instructions));
}
double Account::joule_seconds() const { return in_joules(total()) * seconds; }
double Account::instructions_per_joule() const {
  return ratio(as_double(thread_instructions), in_joules(total()));
}

Account account(const Technology& technology, const gpu::Machine& machine, const RunCounters& run) {
  const double seconds = as_double(run.cycles) / (1e6 * machine.clock.core_mhz);
  Ledger ledger(technology, machine, run);
  ledger.charge_counters();
  ledger.charge_leakage(seconds);
  return ledger.result(seconds);
}

}  // namespace heddle::energy
