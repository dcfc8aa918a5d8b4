#pragma once

// Power over time: divides the energy of a run's account among the intervals of the run.

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
  /// The account's components, in its order.
  std::vector<ComponentEnergy> components{};

  Picojoules total() const;
  Picojoules chip_total() const;  ///< Without DRAM.
  // The following are empty for an interval of zero length, which contains the energy of requests
  // that were in flight at the end of a launch.
  std::optional<double> watts() const;
  std::optional<double> chip_watts() const;
};

/// Divides the account `whole` among the intervals of `samples`, which must cover the whole run, in
/// order. A component's energies in all intervals add up to its energy in `whole`, to the
/// picojoule. Dynamic energy is divided in proportion to the account of each interval alone, and
/// leakage in proportion to time.
std::vector<Interval> power_over_time(const Technology& technology, const gpu::Machine& machine,
                                      const std::vector<gpu::CounterName>& names,
                                      const std::vector<const gpu::Sample*>& samples,
                                      const Account& whole);

/// The average power over all intervals of non-zero length; 0 if there are none.
double average_watts(const std::vector<Interval>& intervals);
/// The energy of requests in flight at the ends of launches: the intervals of zero length.
Picojoules energy_after_end(const std::vector<Interval>& intervals);
/// The interval of highest power (the first if several are equal); null if all have zero length.
const Interval* peak_of(const std::vector<Interval>& intervals);
/// The same for the power without DRAM.
const Interval* chip_peak_of(const std::vector<Interval>& intervals);

}  // namespace heddle::energy
