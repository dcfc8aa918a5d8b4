#pragma once

// Power over time: the distribution of an account's energy over the intervals of a run.

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
  // Empty for an interval of zero length, which holds the energy of requests that were in flight at
  // the end of a launch:
  std::optional<double> watts() const;
  std::optional<double> chip_watts() const;
};

/// Divides the account `whole` among the intervals of its samples. Each component's energies add up
/// to the account's to the picojoule. `samples` must cover the whole run, in order. Dynamic energy
/// is divided in proportion to each interval's own account, and leakage in proportion to time.
std::vector<Interval> power_over_time(const Technology& technology, const gpu::Machine& machine,
                                      const std::vector<gpu::CounterName>& names,
                                      const std::vector<const gpu::Sample*>& samples,
                                      const Account& whole);

/// The average over all intervals of non-zero length; 0 if there are none.
double average_watts(const std::vector<Interval>& intervals);
/// The energy in intervals of zero length: of requests in flight at the ends of launches.
Picojoules energy_after_end(const std::vector<Interval>& intervals);
/// The interval of highest power, the first of several; null if all have zero length.
const Interval* peak_of(const std::vector<Interval>& intervals);
/// The interval of highest power without DRAM, the first of several; null if all have zero length.
const Interval* chip_peak_of(const std::vector<Interval>& intervals);

}  // namespace heddle::energy
