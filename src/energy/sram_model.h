#pragma once

// What an array of memory takes whose size no table has: a + b * sqrt(capacity), as bit lines and
// word lines grow with the side of a square of cells. Fitted to the points of a table, and only as
// good as that: the error is stated with the value.

#include <span>

#include "energy/technology.h"

namespace heddle::energy {

class SramModel {
 public:
  /// Whether there are two points at least, and each takes something.
  static bool fits(std::span<const EventEnergy::Point> points);
  /// Each point counts by its relative error, so that small arrays are met as well as large ones.
  explicit SramModel(std::span<const EventEnergy::Point> points);

  double picojoules(double kilobytes) const;
  /// The largest relative error at the points that it was fitted to.
  double error() const { return error_; }

 private:
  double fixed_ = 0;
  double of_side_ = 0;  ///< For the square root of a kilobyte.
  double error_ = 0;
};

}  // namespace heddle::energy
