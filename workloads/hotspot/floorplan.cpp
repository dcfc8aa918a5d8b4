#include "floorplan.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace heddle::workload::hotspot {
namespace {

/// A rectangle, as fractions of its parent, and its watts per square metre at full load.
struct Unit {
  double left, top, right, bottom;
  double density;
};

constexpr std::array kCoreUnits{
    Unit{0.00, 0.00, 1.00, 0.24, 1.6e6},  // Fetch and decode
    Unit{0.00, 0.26, 0.34, 0.60, 4.2e6},  // Registers
    Unit{0.36, 0.26, 0.64, 0.60, 5.6e6},  // Integer units
    Unit{0.66, 0.26, 1.00, 0.60, 4.8e6},  // Floating-point units
    Unit{0.00, 0.62, 0.48, 1.00, 2.6e6},  // Loads and stores
    Unit{0.50, 0.62, 1.00, 1.00, 1.0e6},  // First-level cache
};
constexpr int kCores = 8;
constexpr double kIdle = 0.2e6;  ///< Watts per square metre, everywhere and at any load.

/// The power density of each cell in watts per square metre.
class DensityMap {
 public:
  DensityMap(int columns, int rows)
      : columns_(columns),
        rows_(rows),
        cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), kIdle) {}

  void add(const Unit& unit, double load) {
    const int right = std::min(columns_, static_cast<int>(unit.right * columns_));
    const int bottom = std::min(rows_, static_cast<int>(unit.bottom * rows_));
    for (int row = static_cast<int>(unit.top * rows_); row < bottom; ++row) {
      for (int column = static_cast<int>(unit.left * columns_); column < right; ++column) {
        cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
               static_cast<std::size_t>(column)] += unit.density * load;
      }
    }
  }
  const std::vector<double>& cells() const { return cells_; }

 private:
  int columns_, rows_;
  std::vector<double> cells_;
};

/// Two rows of four cores, and between them caches, a bus and memory controllers.
std::vector<double> densities(int columns, int rows, const std::array<double, kCores>& loads) {
  DensityMap map(columns, rows);
  for (int core = 0; core < kCores; ++core) {
    const double left = 0.02 + 0.245 * (core % 4);
    const double top = core < 4 ? 0.02 : 0.68;
    for (const Unit& unit : kCoreUnits) {
      // The lower row is the upper one mirrored.
      const double from = core < 4 ? unit.top : 1 - unit.bottom;
      const double to = core < 4 ? unit.bottom : 1 - unit.top;
      map.add({.left = left + 0.225 * unit.left,
               .top = top + 0.30 * from,
               .right = left + 0.225 * unit.right,
               .bottom = top + 0.30 * to,
               .density = unit.density},
              loads[static_cast<std::size_t>(core)]);
    }
  }
  for (int slice = 0; slice < 4; ++slice) {
    const double left = 0.12 + 0.195 * slice;
    map.add({left, 0.35, left + 0.175, 0.47, 0.7e6}, 1);
    map.add({left, 0.53, left + 0.175, 0.65, 0.7e6}, 1);
  }
  map.add({0.12, 0.48, 0.88, 0.52, 1.4e6}, 1);
  map.add({0.01, 0.35, 0.10, 0.65, 1.8e6}, 1);
  map.add({0.90, 0.35, 0.99, 0.65, 1.8e6}, 1);
  return map.cells();
}

/// Replaces `count` values, `stride` apart, by the mean of the 2 `radius` + 1 values around each;
/// the ends are repeated.
void blur_line(std::vector<double>& values, std::size_t begin, int count, std::size_t stride,
               int radius) {
  std::vector<double> line(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = values[begin + i * stride];
  const auto at = [&](int i) {
    return line[static_cast<std::size_t>(std::clamp(i, 0, count - 1))];
  };
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) sum += at(i);
  for (int i = 0; i < count; ++i) {
    values[begin + static_cast<std::size_t>(i) * stride] = sum / (2 * radius + 1);
    sum += at(i + radius + 1) - at(i - radius);
  }
}

void blur(std::vector<double>& values, int columns, int rows) {
  // About the distance that heat spreads sideways on its way up.
  constexpr double kReach = 0.6 * kThickness / kChipSide;
  const int across = std::max(1, static_cast<int>(columns * kReach + 0.5));
  const int along = std::max(1, static_cast<int>(rows * kReach + 0.5));
  const auto width = static_cast<std::size_t>(columns);
  for (int pass = 0; pass < 2; ++pass) {
    for (int row = 0; row < rows; ++row) {
      blur_line(values, static_cast<std::size_t>(row) * width, columns, 1, across);
    }
    for (std::size_t column = 0; column < width; ++column) {
      blur_line(values, column, rows, width, along);
    }
  }
}

}  // namespace

ChipState make_chip(int columns, int rows, Random& random) {
  std::array<double, kCores> loads_before{}, loads_now{};
  for (double& load : loads_before) load = random.uniform(0.1, 1);
  for (double& load : loads_now) load = random.uniform(0.1, 1);

  std::vector<double> warmth = densities(columns, rows, loads_before);
  blur(warmth, columns, rows);
  const std::vector<double> now = densities(columns, rows, loads_now);
  const double area = kChipSide / columns * (kChipSide / rows);
  ChipState state;
  state.power.reserve(now.size());
  state.temperature.reserve(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    // Transistors and sensors vary.
    const double power = now[i] * area * random.uniform(0.8, 1.2);
    const double temperature =
        kAmbient + warmth[i] * kThickness / kConductivity + random.uniform(-0.25, 0.25);
    state.power.push_back(static_cast<float>(power));
    state.temperature.push_back(static_cast<float>(temperature));
  }
  return state;
}

}  // namespace heddle::workload::hotspot
