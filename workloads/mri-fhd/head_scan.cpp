#include "head_scan.h"

#include "workload/random.h"

namespace heddle::workload {
namespace {

struct Complex {
  double real, imaginary;
};

Complex operator*(Complex a, Complex b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

/// A wave after a number of turns: a series for a small fraction of them, then repeated squaring.
Complex wave(double turns) {
  constexpr int kDoublings = 12;
  const double angle = turns * 6.283185307179586 / (1 << kDoublings);
  const double square = angle * angle;
  Complex result{1 - square / 2 * (1 - square / 12), angle * (1 - square / 6 * (1 - square / 20))};
  for (int i = 0; i < kDoublings; ++i) result = result * result;
  return result;
}

/// Pixels along a side of the slice.
constexpr std::size_t kSide = 96;

struct Ellipse {
  double x, y, radius_x, radius_y, brightness;

  bool contains(double at_x, double at_y) const {
    const double u = (at_x - x) / radius_x, v = (at_y - y) / radius_y;
    return u * u + v * v < 1;
  }
};

/// Skull, brain, the two ventricles, and a tumour at a random place: brightnesses that are added.
std::vector<double> head_slice(Random& random) {
  const auto vary = [&](double value) { return value * random.uniform(0.9, 1.1); };
  const double width = vary(0.33), tilt = random.uniform(-0.02, 0.02);
  const std::vector<Ellipse> ellipses{
      {0, 0, width, 0.43, 1},
      {0, 0, width - 0.04, 0.39, -0.7},
      {-0.09, 0.04 + tilt, 0.05, vary(0.13), -0.25},
      {0.09, 0.04 - tilt, 0.05, vary(0.13), -0.25},
      {random.uniform(-0.12, 0.12), random.uniform(-0.28, -0.17), vary(0.05), vary(0.05), 0.4}};
  std::vector<double> pixels;
  for (std::size_t row = 0; row < kSide; ++row) {
    for (std::size_t column = 0; column < kSide; ++column) {
      const double x = (static_cast<double>(column) + 0.5) / kSide - 0.5;
      const double y = (static_cast<double>(row) + 0.5) / kSide - 0.5;
      double brightness = 0;
      for (const Ellipse& ellipse : ellipses) {
        if (ellipse.contains(x, y)) brightness += ellipse.brightness;
      }
      pixels.push_back(brightness);
    }
  }
  return pixels;
}

/// The sum of the pixels' waves at a frequency.
Complex measure(const std::vector<double>& pixels, double frequency_x, double frequency_y) {
  const double first = 0.5 / kSide - 0.5;
  const Complex along = wave(-frequency_x / kSide), down = wave(-frequency_y / kSide);
  Complex row_wave = wave(-(frequency_x + frequency_y) * first);
  Complex sum{0, 0};
  for (std::size_t row = 0; row < kSide; ++row) {
    Complex pixel_wave = row_wave;
    for (std::size_t column = 0; column < kSide; ++column) {
      const double brightness = pixels[row * kSide + column];
      sum.real += brightness * pixel_wave.real;
      sum.imaginary += brightness * pixel_wave.imaginary;
      pixel_wave = pixel_wave * along;
    }
    row_wave = row_wave * down;
  }
  return sum;
}

}  // namespace

Scan scan_head(std::size_t across, double range, double height, std::uint64_t seed) {
  Random random(seed);
  const std::vector<double> pixels = head_slice(random);
  const auto near = [&](std::size_t i) {
    const double place = static_cast<double>(i) + random.uniform(0.3, 0.7);
    return static_cast<float>(range * (place / static_cast<double>(across) - 0.5));
  };
  Scan scan;
  for (std::size_t row = 0; row < across; ++row) {
    for (std::size_t column = 0; column < across; ++column) {
      scan.x.push_back(near(column));
      scan.y.push_back(near(row));
      scan.z.push_back(random.uniform_float(-4, 4));
      // The coil rotates the phase arbitrarily, with about the same strength everywhere.
      const Complex turned = wave(random.uniform());
      const double strength = random.uniform(0.9, 1.1);
      const Complex phi{strength * turned.real, strength * turned.imaginary};
      const Complex measured =
          phi * wave(-height * static_cast<double>(scan.z.back())) *
          measure(pixels, static_cast<double>(scan.x.back()), static_cast<double>(scan.y.back()));
      scan.phi_real.push_back(static_cast<float>(phi.real));
      scan.phi_imaginary.push_back(static_cast<float>(phi.imaginary));
      scan.real.push_back(static_cast<float>(measured.real));
      scan.imaginary.push_back(static_cast<float>(measured.imaginary));
    }
  }
  return scan;
}

}  // namespace heddle::workload
