#include "energy/power.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace heddle::energy {
namespace {

using testing::DoubleEq;
using testing::Optional;

/// A technology with energies for register reads, operations of FP32 lanes and DRAM bits, and with
/// a leakage of one watt.
Technology technology() {
  const auto energy_entry = [](const std::string& event, int picojoules) {
    return "[[energy]]\nof = \"" + event + "\"\npicojoules = " + std::to_string(picojoules) +
           "\nsource = \"mine\"\n";
  };
  return read_technology("summary = \"mine\"\nnode_nm = 40\nvolts = 0.9\n" +
                             energy_entry("register_file.read", 3) +
                             energy_entry("fp32_units.operation", 7) + energy_entry("dram.bit", 1) +
                             "[[static]]\nof = \"core\"\nwatts_per_chip = 1\nsource = \"mine\"\n",
                         "mine", "mine.toml");
}

/// A run with samples of its counters.
class SampledRun {
 public:
  SampledRun() : machine_(gpu::load_machine("preexec")) {
    for (const char* const name :
         {"operands.reads", "units.fp32.lane_operations", "sm.warp_instructions",
          "sm.thread_instructions", "dram.data_bytes"}) {
      names_.push_back({.name = name, .unit = {}, .meaning = {}});
    }
  }

  /// Adds a sample. `counters` has the counts of the five counters above, in their order.
  void add(std::uint64_t cycles, std::vector<std::uint64_t> counters) {
    const Cycle begin = samples_.empty() ? Cycle(100) : samples_.back().end;
    samples_.push_back({begin, begin + Cycles(cycles), std::move(counters)});
  }

  /// The account of the whole run.
  Account account_of_run() const {
    std::vector<std::uint64_t> sums(names_.size(), 0);
    std::uint64_t cycles = 0;
    for (const gpu::Sample& sample : samples_) {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += sample.counters[i];
      cycles += (sample.end - sample.begin).count;
    }
    return account(technology(), machine_, RunCounters::from_values(names_, sums, cycles));
  }

  std::vector<Interval> intervals() const {
    std::vector<const gpu::Sample*> samples;
    for (const gpu::Sample& sample : samples_) samples.push_back(&sample);
    return power_over_time(technology(), machine_, names_, samples, account_of_run());
  }

  double seconds_of(std::uint64_t cycles) const {
    return static_cast<double>(cycles) / (1e6 * machine_.clock.core_mhz);
  }

 private:
  gpu::Machine machine_;
  std::vector<gpu::CounterName> names_;
  std::vector<gpu::Sample> samples_;
};

Picojoules dynamic_of(const Interval& interval, Component component) {
  for (const ComponentEnergy& each : interval.components) {
    if (each.component == component) return each.dynamic_energy;
  }
  return 0;
}

TEST(Power, IntervalsAddUpExactlyToEachComponent) {
  // Lengths and lanes have no common divisors, so no division is exact.
  SampledRun sampled;
  for (std::uint64_t i = 1; i < 40; ++i) {
    sampled.add(1 + i * i % 17, {i * 31 % 13, i * 7 % 11, 12, 12 * (i % 32), i * 5 % 3});
  }
  const Account whole = sampled.account_of_run();
  const std::vector<Interval> intervals = sampled.intervals();
  ASSERT_EQ(whole.components.size(), 4U);
  Picojoules total = 0;
  for (std::size_t i = 0; i < whole.components.size(); ++i) {
    ComponentEnergy sum{.component = whole.components[i].component};
    for (const Interval& interval : intervals) {
      ASSERT_EQ(interval.components[i].component, sum.component);
      sum.dynamic_energy += interval.components[i].dynamic_energy;
      sum.static_energy += interval.components[i].static_energy;
    }
    EXPECT_EQ(sum.dynamic_energy, whole.components[i].dynamic_energy) << name_of(sum.component);
    EXPECT_EQ(sum.static_energy, whole.components[i].static_energy) << name_of(sum.component);
    total += sum.total();
  }
  EXPECT_EQ(total, whole.total());
}

TEST(Power, IntervalHasItsCountsEnergyAndLeaksByTime) {
  SampledRun sampled;
  sampled.add(700, {10, 0, 1, 32, 0});
  sampled.add(1400, {30, 0, 1, 32, 5});
  const std::vector<Interval> intervals = sampled.intervals();
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_EQ(intervals[1].begin, Cycle(800));
  EXPECT_EQ(intervals[1].end, Cycle(2200));
  EXPECT_EQ(dynamic_of(intervals[0], Component::register_file), 30U);
  EXPECT_EQ(dynamic_of(intervals[1], Component::register_file), 90U);
  EXPECT_EQ(intervals[1].total() - intervals[1].chip_total(), 40U);
  const double leaked = 1e12 * sampled.seconds_of(1400);
  EXPECT_NEAR(static_cast<double>(intervals[1].total()), 90 + 40 + leaked, 1);
  EXPECT_THAT(intervals[1].watts(),
              Optional(DoubleEq(in_joules(intervals[1].total()) / sampled.seconds_of(1400))));
}

TEST(Power, ChargesUnitsForTheLanesOfTheInterval) {
  // There are 10 operations with 32 active lanes, then 10 with 4.
  SampledRun sampled;
  sampled.add(1000, {0, 10 * 32, 100, 3200, 0});
  sampled.add(1000, {0, 10 * 4, 100, 400, 0});
  const std::vector<Interval> intervals = sampled.intervals();
  EXPECT_EQ(dynamic_of(intervals[0], Component::fp32_units), 10U * 32 * 7);
  EXPECT_EQ(dynamic_of(intervals[1], Component::fp32_units), 10U * 4 * 7);
}

TEST(Power, CountsInZeroTimeHaveEnergyButNoWatts) {
  SampledRun sampled;
  sampled.add(1000, {10, 0, 1, 32, 0});
  sampled.add(0, {0, 0, 0, 0, 9});
  const std::vector<Interval> intervals = sampled.intervals();
  EXPECT_EQ(intervals[1].total(), 72U);
  EXPECT_EQ(intervals[1].watts(), std::nullopt);
  EXPECT_EQ(energy_after_end(intervals), 72U);
  EXPECT_DOUBLE_EQ(average_watts(intervals), *intervals[0].watts());
  EXPECT_EQ(peak_of(intervals), &intervals[0]);
}

TEST(Power, FindsPeaksWithAndWithoutDram) {
  SampledRun sampled;
  sampled.add(1000, {10, 0, 1, 32, 0});
  sampled.add(1000, {500, 0, 1, 32, 0});
  sampled.add(1000, {400, 0, 1, 32, 0});
  sampled.add(1000, {0, 0, 1, 32, 1000});
  const std::vector<Interval> intervals = sampled.intervals();
  EXPECT_EQ(peak_of(intervals), &intervals[3]);
  EXPECT_EQ(chip_peak_of(intervals), &intervals[1]);
  EXPECT_EQ(peak_of({}), nullptr);
}

}  // namespace
}  // namespace heddle::energy
