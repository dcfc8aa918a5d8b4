#pragma once

// The Runge-Kutta-Fehlberg method for differential equations, with controlled error.

#include <functional>
#include <vector>

namespace heddle::workload::myocyte {

using Values = std::vector<double>;

struct Step {
  double time = 0;  ///< At the end of the step.
  Values values;
};

/// The steps from time 0 to `duration`, by Fehlberg's formulas of the fourth and the fifth order.
/// The difference of the two in a step, as a share of `scales`, is at most `tolerance`. Throws
/// std::runtime_error if no step is short enough.
std::vector<Step> integrate(const std::function<Values(const Values&)>& rates, Values values,
                            const Values& scales, double tolerance, double duration);

}  // namespace heddle::workload::myocyte
