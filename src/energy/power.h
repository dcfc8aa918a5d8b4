#pragma once

// Power over time: what an account's energy was in each of a run's intervals.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "energy/account.h"
#include "gpu/kernel_run.h"
#include "gpu/sample.h"

namespace heddle::energy {

struct Interval {
  Cycle begin{};
  Cycle end{};
  double seconds = 0;
  /// Those of the account, in its order.
  std::vector<ComponentEnergy> components{};

  Picojoules total() const;
  Picojoules of_chip() const;  ///< Without DRAM.
  // Empty for one without length, which has what was under way at a launch's end:
  std::optional<double> watts() const;
  std::optional<double> chip_watts() const;
};

/// What `whole` accounts for, by interval: to the picojoule, they add up to each of its components.
/// `samples` are all that it is an account of, in order. An interval's share of a component's
/// dynamic energy is by what an account of that interval alone has of it; of leakage, by its time.
std::vector<Interval> power_over_time(const Technology& technology, const gpu::Machine& machine,
                                      const std::vector<gpu::CounterName>& names,
                                      const std::vector<const gpu::Sample*>& samples,
                                      const Account& whole);

/// Over all intervals that have a length; 0 where none has.
double average_watts(const std::vector<Interval>& intervals);
/// What was under way at launches' ends, and is in no interval with a length.
Picojoules after_end(const std::vector<Interval>& intervals);
/// The interval of most watts, the first of several; null where none has a length.
const Interval* peak_of(const std::vector<Interval>& intervals);
/// The same without DRAM.
const Interval* chip_peak_of(const std::vector<Interval>& intervals);

}  // namespace heddle::energy
