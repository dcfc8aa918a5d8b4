#pragma once

// Differential equations by Runge and Kutta's method, in steps of controlled error.

#include <functional>
#include <vector>

namespace heddle::workload::myocyte {

using Values = std::vector<double>;

struct Step {
  double time = 0;  ///< At its end.
  Values values;
};

/// The steps from time 0 on, by Fehlberg's formulas of the fourth and the fifth order. What these
/// two differ by in a step is, as a share of `scales`, no more than `tolerance`. Throws
/// std::runtime_error where no step is short enough.
std::vector<Step> integrate(const std::function<Values(const Values&)>& rates, Values values,
                            const Values& scales, double tolerance, double duration);

}  // namespace heddle::workload::myocyte
