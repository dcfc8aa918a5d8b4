#pragma once

// Estimates the access energy of an SRAM array whose size is not in a technology's table. The model
// is a + b * sqrt(capacity), because bit lines and word lines grow with the side of a square of
// cells. It is fitted to the sizes in the table.

#include <span>

#include "energy/technology.h"

namespace heddle::energy {

class SramModel {
 public:
  /// Whether there are at least two points, all with positive energies.
  static bool can_fit(std::span<const EventEnergy::Point> points);
  /// Minimises relative errors, so that small arrays are fitted as well as large ones.
  explicit SramModel(std::span<const EventEnergy::Point> points);

  double picojoules(double kilobytes) const;
  /// The largest relative error at the fitted points; 0.1 is 10 %.
  double error() const { return error_; }

 private:
  double fixed_ = 0;        ///< Picojoules.
  double side_factor_ = 0;  ///< Picojoules per square root of a kilobyte.
  double error_ = 0;
};

}  // namespace heddle::energy
