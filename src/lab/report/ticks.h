#pragma once

#include <string>
#include <vector>

namespace heddle::lab::report {

/// The ticks of an axis: multiples of 1, 2, 2.5 or 5 times a power of ten.
struct Ticks {
  std::vector<double> values;  ///< In increasing order; the first and the last are the axis' ends.
  double step = 1;

  double low() const { return values.front(); }
  double high() const { return values.back(); }
  /// A tick's label, with as many digits as distinguish it from the next tick, and `more` digits.
  std::string label(double value, int more = 0) const;
};

/// At most `most` (3 or more) ticks, from one at or below `low` to one at or above `high`. Both
/// bounds must be finite, and `low` must not exceed `high`.
Ticks make_ticks(double low, double high, int most);

}  // namespace heddle::lab::report
