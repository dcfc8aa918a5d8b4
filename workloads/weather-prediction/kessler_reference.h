#pragma once

// A step of the scheme in double precision, with error bounds for single precision.

#include <array>

#include "kernel.h"

namespace heddle::workload::weather {

/// A value and the bound of its rounding error, in units of 2^-24.
struct Estimate {
  double value = 0;
  double error = 0;
};

struct Level {
  Estimate warmth, vapour, cloud, rain;
  double density = 0, exner = 0, thickness = 0;
};

/// A column of levels, from the ground up.
struct Column {
  std::array<Level, ::weather::kLevels> levels;
  Estimate fallen;  ///< On the ground, in mm.

  /// The greatest number of levels, as a fraction, that rain falls through in this time.
  double courant(double seconds) const;
  /// Computes a step; the fall is divided into `fall_steps` parts.
  void step(double seconds, int fall_steps);
};

}  // namespace heddle::workload::weather
