#include "blood_frame.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"
#include "workload/inputs/noise.h"
#include "workload/random.h"

namespace heddle::workload::leukocyte {
namespace {

using ::leukocyte::kMargin;

struct Cell {
  Place middle;
  double radius;

  /// 1 inside the cell, 0 outside.
  double at(int x, int y) const {
    const double dx = x - middle.x, dy = y - middle.y;
    return 1 - smooth_step(radius - 3, radius + 3, std::sqrt(dx * dx + dy * dy));
  }
};

/// Places a cell near the middle of every field of a grid.
std::vector<Cell> scatter(int width, int height, Random& random) {
  constexpr int kField = 40;
  const int inner_width = width - 2 * kMargin, inner_height = height - 2 * kMargin;
  const int columns = std::max(inner_width / kField, 1), rows = std::max(inner_height / kField, 1);
  const auto shift = [&] { return static_cast<int>(random.below(7)) - 3; };
  std::vector<Cell> cells;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int x = kMargin + (2 * column + 1) * inner_width / (2 * columns) + shift();
      const int y = kMargin + (2 * row + 1) * inner_height / (2 * rows) + shift();
      cells.push_back({{x, y}, random.uniform(9, 13)});
    }
  }
  return cells;
}

}  // namespace

BloodFrame make_blood_frame(int width, int height, std::uint64_t seed) {
  Random random(seed);
  const Noise noise(random);
  BloodFrame frame;
  const std::vector<Cell> cells = scatter(width, height, random);
  for (const Cell& cell : cells) frame.cells.push_back(cell.middle);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double level = 70 + 30 * noise.octaves(x / 25.0, y / 25.0, 3);
      // There is tissue on both sides of the vessel.
      level += 30 * smooth_step(0.42, 0.48, std::abs(static_cast<double>(y) / height - 0.5));
      for (const Cell& cell : cells) {
        level += cell.at(x, y) * (80 + 20 * noise.octaves(x / 6.0, y / 6.0, 2));
      }
      level += static_cast<double>(random.below(13)) - 6;
      frame.levels.push_back(static_cast<std::uint8_t>(std::clamp(level, 0.0, 255.0)));
    }
  }
  return frame;
}

}  // namespace heddle::workload::leukocyte
