#pragma once

// Power over time, as a picture that stands alone.

#include <string>
#include <vector>

#include "base/cycle.h"

namespace heddle::lab::report {

struct PowerChart {
  /// A stretch in which power is told as one, part by part.
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
  /// The lowest first: what is always there, then kColours at most.
  std::vector<std::string> parts{};
  std::vector<Stretch> stretches{};  ///< By rising time; there may be none in between.
  std::vector<Launch> launches{};
};

/// Areas, stacked, over the chip's cycles; light or dark as the reader has it. Stretches that are
/// too short to be seen are drawn together, as what they take on average; the highest one is marked
/// nevertheless. Each has a length.
std::string draw_power(const PowerChart& chart);

}  // namespace heddle::lab::report
