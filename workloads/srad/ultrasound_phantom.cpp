#include "ultrasound_phantom.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "workload/inputs/noise.h"
#include "workload/random.h"

namespace heddle::workload {
namespace {

/// The distance of (x, y) from the middle, in radii: 1 is on the edge.
struct Ellipse {
  double x, y, radius_x, radius_y;

  double distance(double at_x, double at_y) const {
    const double u = (at_x - x) / radius_x, v = (at_y - y) / radius_y;
    return std::sqrt(u * u + v * v);
  }
};

/// The amplitude of the echo from x, y in [0, 1).
class Body {
 public:
  explicit Body(Random& random) : noise_(random) {
    const double mirror = random.below(2) == 0 ? 1 : -1;
    const auto place = [&](double x, double y, double radius_x, double radius_y) {
      const double moved = 0.5 + mirror * (x - 0.5) + random.uniform(-0.04, 0.04);
      const double size = random.uniform(0.85, 1.15);
      return Ellipse{moved, y + random.uniform(-0.03, 0.03), radius_x * size, radius_y * size};
    };
    cysts_ = {place(0.26, 0.36, 0.11, 0.09), place(0.70, 0.31, 0.06, 0.05),
              place(0.84, 0.40, 0.035, 0.04)};
    artery_ = place(0.50, 0.45, 0.055, 0.065);
    stone_ = place(0.78, 0.56, 0.045, 0.022);
    vessel_tilt_ = mirror * random.uniform(0.05, 0.16);
  }

  double at(double x, double y) const {
    const double slow = noise_.octaves(x * 6, y * 8, 3);
    double echo = 0.35 + 0.5 * slow;
    if (y < 0.05 + 0.01 * slow) echo = 1.5;
    // Muscle has fibres along it.
    const double muscle = y + 0.05 * x + 0.03 * slow;
    if (muscle > 0.12 && muscle < 0.24) echo = 0.25 + 0.9 * noise_.at(x * 4 + 50, muscle * 150);
    for (const Ellipse& cyst : cysts_) {
      const double distance = cyst.distance(x, y);
      if (distance < 1) return 0.02;
      if (distance < 1.12) echo = 0.9;
      // Sound is attenuated less behind fluid.
      if (y > cyst.y && std::abs(x - cyst.x) < 0.8 * cyst.radius_x) echo *= 1.5;
    }
    const double artery = artery_.distance(x, y);
    if (artery < 1) return 0.05;
    if (artery < 1.25) return 1.3;
    // A vessel along the picture, with bright walls.
    const double off = std::abs(y - 0.76 - vessel_tilt_ * (x - 0.5) - 0.02 * noise_.at(x * 4, 90));
    if (off < 0.045) return 0.05;
    if (off < 0.06) return 1.3;
    if (stone_.distance(x, y) < 1) return 2.2;
    if (y > stone_.y && std::abs(x - stone_.x) < stone_.radius_x) echo *= 0.12;
    return echo * (1.1 - 0.5 * y);
  }

 private:
  Noise noise_;
  std::array<Ellipse, 3> cysts_{};
  Ellipse artery_{}, stone_{};
  double vessel_tilt_ = 0;
};

/// Blurs by the beam, which is wider than a pixel: a weighted sum along rows or columns, with
/// weights that keep the power.
void blur(std::vector<double>& field, int width, int height, bool along_rows) {
  constexpr std::array kAcross{1.0, 3.0, 4.0, 3.0, 1.0}, kAlong{0.0, 1.0, 2.0, 1.0, 0.0};
  const auto& weights = along_rows ? kAcross : kAlong;
  const double scale = along_rows ? 1 / 6.0 : 1 / std::sqrt(6.0);
  const std::vector<double> from = field;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      double sum = 0;
      for (int tap = -2; tap <= 2; ++tap) {
        const int x = std::clamp(along_rows ? column + tap : column, 0, width - 1);
        const int y = std::clamp(along_rows ? row : row + tap, 0, height - 1);
        sum += weights[static_cast<std::size_t>(tap + 2)] *
               from[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                    static_cast<std::size_t>(x)];
      }
      field[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(column)] = sum * scale;
    }
  }
}

}  // namespace

std::vector<float> ultrasound_phantom(int width, int height, std::uint64_t seed) {
  Random random(seed);
  const Body body(random);
  // Many scatterers in every pixel send waves of random phase. Their sum is a normally distributed
  // complex number, whose magnitude is speckle.
  std::vector<double> real, imaginary;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const double echo = body.at((column + 0.5) / width, (row + 0.5) / height);
      real.push_back(echo * random.normal());
      imaginary.push_back(echo * random.normal());
    }
  }
  for (std::vector<double>* field : {&real, &imaginary}) {
    blur(*field, width, height, true);
    blur(*field, width, height, false);
  }
  std::vector<float> levels;
  for (std::size_t i = 0; i < real.size(); ++i) {
    const double magnitude = std::sqrt(real[i] * real[i] + imaginary[i] * imaginary[i]);
    // Compresses the range, so that weak echoes are visible beside strong ones: a root in place of
    // the usual logarithm.
    const double level = 150 * std::sqrt(magnitude);
    levels.push_back(static_cast<float>(static_cast<int>(std::min(level, 255.0))));
  }
  return levels;
}

}  // namespace heddle::workload
