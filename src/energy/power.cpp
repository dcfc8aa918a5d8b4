#include "energy/power.h"

#include <cmath>

namespace heddle::energy {
namespace {

/// Divides a whole number in proportion to weights, part by part. Each part is the difference
/// between successive rounded running totals. The parts therefore add up exactly, and none is
/// negative. If all weights are 0, the first part is the whole.
class Apportionment {
 public:
  Apportionment(Picojoules whole, std::uint64_t weight_sum)
      : whole_(whole), weight_sum_(weight_sum) {}

  /// The part for the next weight.
  Picojoules next(std::uint64_t weight) {
    so_far_ += weight;
    const Picojoules before = dealt_;
    dealt_ = so_far_ == weight_sum_ ? whole_
                                    : static_cast<Picojoules>(std::llround(
                                          static_cast<double>(whole_) *
                                          (static_cast<double>(so_far_) / double(weight_sum_))));
    return dealt_ - before;
  }

 private:
  Picojoules whole_;
  std::uint64_t weight_sum_;
  std::uint64_t so_far_ = 0;  ///< Sum of the weights so far.
  Picojoules dealt_ = 0;      ///< Sum of the parts so far.
};

/// Prepares to divide `whole` among the samples, in their order.
template <class Weight>
Apportionment apportion(Picojoules whole, std::size_t samples, Weight weight) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < samples; ++i) sum += weight(i);
  return {whole, sum};
}

template <class Watts>
const Interval* peak_by(const std::vector<Interval>& intervals, Watts watts) {
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

Picojoules Interval::chip_total() const {
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
  return in_joules(chip_total()) / seconds;
}

std::vector<Interval> power_over_time(const Technology& technology, const gpu::Machine& machine,
                                      const std::vector<gpu::CounterName>& names,
                                      const std::vector<const gpu::Sample*>& samples,
                                      const Account& whole) {
  std::vector<Interval> intervals;
  std::vector<ByComponent<Picojoules>> dynamic_energies(samples.size());
  const auto cycles_of = [&](std::size_t i) { return (samples[i]->end - samples[i]->begin).count; };
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Account interval_account = account(
        technology, machine, RunCounters::from_values(names, samples[i]->counters, cycles_of(i)));
    for (const ComponentEnergy& each : interval_account.components) {
      dynamic_energies[i][each.component] = each.dynamic_energy;
    }
    intervals.push_back(
        {.begin = samples[i]->begin, .end = samples[i]->end, .seconds = interval_account.seconds});
  }
  for (const ComponentEnergy& component : whole.components) {
    const auto dynamic_of = [&](std::size_t i) { return dynamic_energies[i][component.component]; };
    Apportionment work = apportion(component.dynamic_energy, samples.size(), dynamic_of);
    Apportionment leakage = apportion(component.static_energy, samples.size(), cycles_of);
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

Picojoules energy_after_end(const std::vector<Interval>& intervals) {
  Picojoules energy = 0;
  for (const Interval& interval : intervals) {
    if (interval.seconds <= 0) energy += interval.total();
  }
  return energy;
}

const Interval* peak_of(const std::vector<Interval>& intervals) {
  return peak_by(intervals, [](const Interval& each) { return *each.watts(); });
}

const Interval* chip_peak_of(const std::vector<Interval>& intervals) {
  return peak_by(intervals, [](const Interval& each) { return *each.chip_watts(); });
}

}  // namespace heddle::energy
