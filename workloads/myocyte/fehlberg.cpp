#include "fehlberg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace heddle::workload::myocyte {
namespace {

constexpr std::size_t kStages = 6;
constexpr double kFirstStep = 1e-3, kShortestStep = 1e-7;

/// The weights of the earlier stages' rates in each stage (Fehlberg 1969, NASA TR R-315).
constexpr std::array<std::array<double, kStages - 1>, kStages> kShares{{
    {},
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
    {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
}};
constexpr std::array<double, kStages> kFifthOrder{16.0 / 135,      0,         6656.0 / 12825,
                                                  28561.0 / 56430, -9.0 / 50, 2.0 / 55};
/// The difference between the fourth and the fifth order.
constexpr std::array<double, kStages> kDifference{1.0 / 360,       0,        -128.0 / 4275,
                                                  -2197.0 / 75240, 1.0 / 50, 2.0 / 55};

/// `from` plus `step` times the sum of the stages' rates, weighted by `shares`.
template <std::size_t count>
Values moved(const Values& from, const std::vector<Values>& rates,
             const std::array<double, count>& shares, double step) {
  Values to = from;
  for (std::size_t stage = 0; stage < std::min(rates.size(), count); ++stage) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += step * shares[stage] * rates[stage][i];
  }
  return to;
}

}  // namespace

std::vector<Step> integrate(const std::function<Values(const Values&)>& rates, Values values,
                            const Values& scales, double tolerance, double duration) {
  std::vector<Step> steps;
  double time = 0, step = kFirstStep;
  while (time < duration) {
    step = std::min(step, duration - time);
    std::vector<Values> stages;
    stages.reserve(kStages);
    for (const auto& shares : kShares) stages.push_back(rates(moved(values, stages, shares, step)));
    const Values error = moved(Values(values.size()), stages, kDifference, step);
    double greatest = 0;
    for (std::size_t i = 0; i < error.size(); ++i) {
      const double share = std::abs(error[i]) / scales[i];
      greatest = std::isfinite(share) ? std::max(greatest, share)
                                      : std::numeric_limits<double>::infinity();
    }
    if (greatest <= tolerance) {
      values = moved(values, stages, kFifthOrder, step);
      time = time + step < duration ? time + step : duration;
      steps.push_back({time, values});
    } else if (step < kShortestStep) {
      throw std::runtime_error("the integration needs steps below its shortest step");
    }
    const double factor = 0.9 * std::sqrt(std::sqrt(tolerance / greatest));
    step *= factor > 0.2 ? std::min(factor, 4.0) : 0.2;
  }
  return steps;
}

}  // namespace heddle::workload::myocyte
