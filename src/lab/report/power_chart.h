#pragma once

// A chart of power over time, as an SVG file of its own.

#include <string>
#include <vector>

#include "base/cycle.h"

namespace heddle::lab::report {

struct PowerChart {
  /// An interval with constant power, part by part.
  struct Stretch {
    Cycle begin{};
    Cycle end{};
    std::vector<double> watts{};  ///< By part.
  };
  struct Launch {
    std::string kernel;
    Cycle begin{};
    Cycle end{};
  };

  std::string title{};
  std::string subtitle{};
  /// Names of the parts, the lowest first: the part that is always present, then at most kColours
  /// others.
  std::vector<std::string> parts{};
  std::vector<Stretch> stretches{};  ///< In increasing order of time; gaps are allowed.
  std::vector<Launch> launches{};
};

/// Draws stacked areas over the chip's cycles, light or dark as the reader prefers. Stretches that
/// are too short to be visible are merged and drawn with their average power. The peak is marked
/// even if its stretch was merged. Every stretch must have a length.
std::string draw_power(const PowerChart& chart);

}  // namespace heddle::lab::report
