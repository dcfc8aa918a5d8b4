#include "lab/report/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::lab::report {
namespace {

/// Tolerance within which a bound counts as a multiple of the step.
constexpr double kRounding = 1e-9;

double first_multiple(double low, double step) { return std::floor(low / step + kRounding); }
double last_multiple(double high, double step) { return std::ceil(high / step - kRounding); }

}  // namespace

std::string Ticks::label(double value, int more_digits) const {
  if (step >= 1e6 || step < 1e-6) return fmt::format("{:.4g}", value);
  const double exponent = std::floor(std::log10(step) + kRounding);
  int digits = std::max(0, static_cast<int>(-exponent));
  // A step of 2.5 needs one digit more than its power of ten.
  if (std::abs(step / std::pow(10, exponent) - 2.5) < 0.01 && exponent < 1) ++digits;
  return fmt::format("{:.{}f}", value, digits + more_digits);
}

Ticks make_ticks(double low, double high, int max_ticks) {
  if (low == high) {
    // An axis needs an extent: from zero to the value, or one unit.
    if (low == 0) high = 1;
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  // If the range is too wide or too narrow for arithmetic in doubles, its ends are the only ticks.
  const double extent = high - low;
  if (!std::isfinite(extent) || extent < 1e-12 * std::max(std::abs(low), std::abs(high)) ||
      extent < 1e-300) {
    return {.values = {low, high}, .step = std::max(extent, 1e-300)};
  }
  double power = std::pow(10, std::floor(std::log10((high - low) / max_ticks)));
  for (;;) {
    for (const double factor : std::array{1.0, 2.0, 2.5, 5.0}) {
      const double step = factor * power;
      const double first = first_multiple(low, step);
      const double last = last_multiple(high, step);
      if (last - first + 1 > max_ticks) continue;
      Ticks ticks{.values = {}, .step = step};
      for (double i = first; i <= last; ++i) ticks.values.push_back(i == 0 ? 0 : i * step);
      return ticks;
    }
    power *= 10;
  }
}

}  // namespace heddle::lab::report
