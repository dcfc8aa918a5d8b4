#pragma once

// Smooth noise for natural-looking inputs. It is the same on every host, because it uses no
// mathematical function of a library.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "workload/random.h"

namespace heddle::workload {

/// A smooth function of x: 0 up to `from`, 1 from `to` on, increasing between them.
inline double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

/// Random values on the points of a lattice, interpolated smoothly between points. The lattice
/// repeats after 256 points in each direction.
class Noise {
 public:
  explicit Noise(Random& random) : values_(kSide * kSide) {
    for (float& value : values_) value = random.uniform_float(0, 1);
  }

  /// A value in [0, 1); x and y must not be negative.
  double at(double x, double y) const {
    const auto column = static_cast<std::size_t>(x);
    const auto row = static_cast<std::size_t>(y);
    const double u = smooth_step(0, 1, x - static_cast<double>(column));
    const double v = smooth_step(0, 1, y - static_cast<double>(row));
    const double top = between(value(column, row), value(column + 1, row), u);
    const double bottom = between(value(column, row + 1), value(column + 1, row + 1), u);
    return between(top, bottom, v);
  }

  /// The weighted mean of `count` octaves, in [0, 1). Each octave is half as strong and twice as
  /// fine as the previous one.
  double octaves(double x, double y, int count) const {
    double sum = 0, strength = 0.5, total = 0;
    for (int i = 0; i < count; ++i) {
      sum += strength * at(x, y);
      total += strength;
      strength /= 2;
      x = x * 2 + 17.3;
      y = y * 2 + 31.7;
    }
    return sum / total;
  }

 private:
  static constexpr std::size_t kSide = 256;

  static double between(double a, double b, double share) { return a + (b - a) * share; }
  double value(std::size_t column, std::size_t row) const {
    return static_cast<double>(values_[row % kSide * kSide + column % kSide]);
  }

  std::vector<float> values_;
};

}  // namespace heddle::workload
