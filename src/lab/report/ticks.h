#pragma once

#include <string>
#include <vector>

namespace heddle::lab::report {

/// The ticks of an axis. The distance between ticks is 1, 2, 2.5 or 5 times a power of ten, and
/// ticks are multiples of it.
struct Ticks {
  std::vector<double> values;  ///< In increasing order; the first and the last are the axis' ends.
  double step = 1;

  double low() const { return values.front(); }
  double high() const { return values.back(); }
  /// A tick's label: as many decimals as distinguish it from the next tick, and `more_digits`
  /// further ones.
  std::string label(double value, int more_digits = 0) const;
};

/// The ticks of an axis from at or below `low` to at or above `high`. There are 2 to `max_ticks`
/// ticks; `max_ticks` is at least 3. Both bounds must be finite, and `low` must not exceed `high`.
Ticks make_ticks(double low, double high, int max_ticks);

}  // namespace heddle::lab::report
