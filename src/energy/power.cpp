#include "energy/power.h"

#include <cmath>

namespace heddle::energy {
namespace {

/// Deals a whole number out in proportion to weights, one after another: to each what it makes of
/// the rounded share of all weights so far, so that nothing is lost and nothing is below zero.
class Dealt {
 public:
  Dealt(Picojoules whole, std::uint64_t weights) : whole_(whole), weights_(weights) {}

  Picojoules next(std::uint64_t weight) {
    so_far_ += weight;
    const Picojoules before = dealt_;
    dealt_ =
        so_far_ == weights_
            ? whole_
            : static_cast<Picojoules>(std::llround(
                  static_cast<double>(whole_) * (static_cast<double>(so_far_) / double(weights_))));
    return dealt_ - before;
  }

 private:
  Picojoules whole_;
  std::uint64_t weights_;
  std::uint64_t so_far_ = 0;
  Picojoules dealt_ = 0;
};

/// Over all samples, then of each, in turn.
template <class Weight>
Dealt deal(Picojoules whole, std::size_t samples, Weight weight) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < samples; ++i) sum += weight(i);
  return {whole, sum};
}

template <class Watts>
const Interval* most(const std::vector<Interval>& intervals, Watts watts) {
  const Interval* peak = nullptr;
  for (const Interval& interval : intervals) {
    if (interval.seconds <= 0) continue;
    if (peak == nullptr || watts(interval) > watts(*peak)) peak = &interval;
  }
  return peak;
}

}  // namespace

Picojoules Interval::total() const {
  Picojoules sum = 0;
  for (const ComponentEnergy& component : components) sum += component.total();
  return sum;
}

Picojoules Interval::of_chip() const {
  Picojoules sum = 0;
  for (const ComponentEnergy& component : components) {
    if (component.component != Component::dram) sum += component.total();
  }
  return sum;
}

std::optional<double> Interval::watts() const {
  if (seconds <= 0) return std::nullopt;
  return in_joules(total()) / seconds;
}

std::optional<double> Interval::chip_watts() const {
  if (seconds <= 0) return std::nullopt;
  return in_joules(of_chip()) / seconds;
}

std::vector<Interval> power_over_time(const Technology& technology, const gpu::Machine& machine,
                                      const std::vector<gpu::CounterName>& names,
                                      const std::vector<const gpu::Sample*>& samples,
                                      const Account& whole) {
  std::vector<Interval> intervals;
  std::vector<ByComponent<Picojoules>> alone(samples.size());
  const auto cycles_of = [&](std::size_t i) { return (samples[i]->end - samples[i]->begin).count; };
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Account own =
        account(technology, machine, Counted::of(names, samples[i]->counters, cycles_of(i)));
    for (const ComponentEnergy& each : own.components) {
      alone[i][each.component] = each.dynamic_energy;
    }
    intervals.push_back(
        {.begin = samples[i]->begin, .end = samples[i]->end, .seconds = own.seconds});
  }
  for (const ComponentEnergy& component : whole.components) {
    const auto dynamic_of = [&](std::size_t i) { return alone[i][component.component]; };
    Dealt work = deal(component.dynamic_energy, samples.size(), dynamic_of);
    Dealt leakage = deal(component.static_energy, samples.size(), cycles_of);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      intervals[i].components.push_back({.component = component.component,
                                         .dynamic_energy = work.next(dynamic_of(i)),
                                         .static_energy = leakage.next(cycles_of(i))});
    }
  }
  return intervals;
}

double average_watts(const std::vector<Interval>& intervals) {
  Picojoules energy = 0;
  double seconds = 0;
  for (const Interval& interval : intervals) {
    if (interval.seconds > 0) energy += interval.total();
    seconds += interval.seconds;
  }
  return seconds > 0 ? in_joules(energy) / seconds : 0;
}

Picojoules after_end(const std::vector<Interval>& intervals) {
  Picojoules energy = 0;
  for (const Interval& interval : intervals) {
    if (interval.seconds <= 0) energy += interval.total();
  }
  return energy;
}

const Interval* peak_of(const std::vector<Interval>& intervals) {
  return most(intervals, [](const Interval& each) { return *each.watts(); });
}

const Interval* chip_peak_of(const std::vector<Interval>& intervals) {
  return most(intervals, [](const Interval& each) { return *each.chip_watts(); });
}

}  // namespace heddle::energy
