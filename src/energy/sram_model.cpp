#include "energy/sram_model.h"

#include <algorithm>
#include <cmath>

namespace heddle::energy {

bool SramModel::can_fit(std::span<const EventEnergy::Point> points) {
  return points.size() >= 2 && std::all_of(points.begin(), points.end(),
                                           [](const auto& point) { return point.picojoules > 0; });
}

// Minimises the sum of the squares of (a + b x) / y - 1, where x is the array's side and y its
// energy. The derivatives by a and b give two linear equations.
SramModel::SramModel(std::span<const EventEnergy::Point> points) {
  double ones = 0, sides = 0, squares = 0, inverses = 0, ratios = 0;
  for (const EventEnergy::Point& point : points) {
    const double side = std::sqrt(point.size);
    const double weight = 1 / (point.picojoules * point.picojoules);
    ones += weight;
    sides += weight * side;
    squares += weight * side * side;
    inverses += 1 / point.picojoules;
    ratios += side / point.picojoules;
  }
  const double determinant = ones * squares - sides * sides;
  fixed_ = (inverses * squares - ratios * sides) / determinant;
  side_factor_ = (ratios * ones - inverses * sides) / determinant;
  for (const EventEnergy::Point& point : points) {
    const double error = picojoules(point.size) / point.picojoules - 1;
    error_ = std::max(error_, std::abs(error));
  }
}

double SramModel::picojoules(double kilobytes) const {
  return std::max(0.0, fixed_ + side_factor_ * std::sqrt(kilobytes));
}

}  // namespace heddle::energy
