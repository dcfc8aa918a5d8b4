#pragma once

// Estimates the access energy of an SRAM array whose size a table does not list: a + b *
// sqrt(capacity), because bit lines and word lines grow with the side of a square of cells. The
// model is fitted to the points of the table, and its error is stated with the value.

#include <span>

#include "energy/technology.h"

namespace heddle::energy {

class SramModel {
 public:
  /// Whether there are at least two points, all with positive energies.
  static bool fits(std::span<const EventEnergy::Point> points);
  /// Minimises relative errors, so that small arrays are fitted as well as large ones.
  explicit SramModel(std::span<const EventEnergy::Point> points);

  double picojoules(double kilobytes) const;
  /// The largest relative error at the fitted points.
  double error() const { return error_; }

 private:
  double fixed_ = 0;
  double of_side_ = 0;  ///< Picojoules per square root of a kilobyte.
  double error_ = 0;
};

}  // namespace heddle::energy
