#pragma once

#include <string>
#include <vector>

namespace heddle::lab::report {

/// The marks of an axis: multiples of 1, 2, 2.5 or 5 times a power of ten.
struct Ticks {
  std::vector<double> values;  ///< Rising; the first and the last are the axis' ends.
  double step = 1;

  double low() const { return values.front(); }
  double high() const { return values.back(); }
  /// With as many digits as distinguish each mark from the next, and `more`.
  std::string label(double value, int more = 0) const;
};

/// At most `most` (3 or more) of them, from one at `low` or below to one at `high` or above. Both
/// are finite, and `low` not above `high`.
Ticks make_ticks(double low, double high, int most);

}  // namespace heddle::lab::report
