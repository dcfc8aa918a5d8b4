#pragma once

// The kernels' expected results in double precision.

#include <cstddef>
#include <vector>

namespace heddle::workload::leukocyte {

/// A value and the bound of its rounding error, in units of 2^-24.
struct Estimate {
  double value = 0;
  double error = 0;
};

/// The gradient of a frame's brightness.
struct Gradient {
  int width = 0, height = 0;
  std::vector<float> x, y;
};

/// The radius of each circle, in the order in which they are tried.
int circle_radius(int circle);

/// The scores of all pixels outside the margin.
std::vector<Estimate> scores_of(const Gradient& gradient, int circles);

/// The greatest score in a disk around each pixel.
std::vector<float> dilation_of(const std::vector<float>& scores, int width, int height);

/// The flow around a cell after a number of iterations, and the mean change of each.
struct Flow {
  std::vector<double> field;
  std::vector<double> changes;
};
struct Direction {
  double x, y;
};
Flow flow_of(const std::vector<double>& edges, Direction direction, int iterations);

}  // namespace heddle::workload::leukocyte
