#pragma once

// A step of the scheme in double precision, with what single precision may make of it.

#include <array>

#include "kernel.h"

namespace heddle::workload::weather {

/// A value, and what roundings may have changed it by, in units of 2^-24.
struct Estimate {
  double value = 0;
  double error = 0;
};

struct Level {
  Estimate warmth, vapour, cloud, rain;
  double density = 0, exner = 0, thickness = 0;
};

/// From the ground up.
struct Column {
  std::array<Level, ::weather::kLevels> levels;
  Estimate fallen;  ///< On the ground, in mm.

  /// How many levels rain falls through in so long a step, at most.
  double courant(double seconds) const;
  /// The fall is cut into `fall_steps`.
  void step(double seconds, int fall_steps);
};

}  // namespace heddle::workload::weather
