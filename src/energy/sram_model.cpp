#include "energy/sram_model.h"

#include <algorithm>
#include <cmath>

namespace heddle::energy {

bool SramModel::fits(std::span<const EventEnergy::Point> points) {
  return points.size() >= 2 && std::all_of(points.begin(), points.end(),
                                           [](const auto& point) { return point.picojoules > 0; });
}

// Least squares of (a + b x) / y - 1, where x is the side of the array: two linear equations.
SramModel::SramModel(std::span<const EventEnergy::Point> points) {
  double ones = 0, sides = 0, squares = 0, inverse = 0, ratio = 0;
  for (const EventEnergy::Point& point : points) {
    const double side = std::sqrt(point.size);
    const double weight = 1 / (point.picojoules * point.picojoules);
    ones += weight;
    sides += weight * side;
    squares += weight * side * side;
    inverse += 1 / point.picojoules;
    ratio += side / point.picojoules;
  }
  const double determinant = ones * squares - sides * sides;
  fixed_ = (inverse * squares - ratio * sides) / determinant;
  of_side_ = (ratio * ones - inverse * sides) / determinant;
  for (const EventEnergy::Point& point : points) {
    const double error = picojoules(point.size) / point.picojoules - 1;
    error_ = std::max(error_, std::abs(error));
  }
}

double SramModel::picojoules(double kilobytes) const {
  return std::max(0.0, fixed_ + of_side_ * std::sqrt(kilobytes));
}

}  // namespace heddle::energy
