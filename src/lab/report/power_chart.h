#pragma once

// A chart of power over time, as an SVG file of its own.

#include <string>
#include <vector>

#include "base/cycle.h"

namespace heddle::lab::report {

/// The content of the chart. Parts are what the power is divided among, such as components.
struct PowerChart {
  /// An interval in which the power of each part is constant.
  struct Stretch {
    Cycle begin{};
    Cycle end{};
    std::vector<double> watts{};  ///< By part.
  };
  /// The interval of a kernel launch.
  struct Launch {
    std::string kernel;
    Cycle begin{};
    Cycle end{};
  };

  std::string title{};
  std::string subtitle{};
  /// The names of the parts, the lowest first: the part that is drawn grey, then at most
  /// kColourCount others.
  std::vector<std::string> parts{};
  std::vector<Stretch> stretches{};  ///< In the order of time; gaps are allowed.
  std::vector<Launch> launches{};
};

/// Draws stacked areas over the chip's cycles, light or dark as the reader prefers. Stretches that
/// are too short to be visible are merged and drawn with their average power. The peak is marked
/// even if its stretch was merged. Every stretch must be at least one cycle long.
std::string draw_power(const PowerChart& chart);

}  // namespace heddle::lab::report
