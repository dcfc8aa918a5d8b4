#include "heartwall_sequence.h"

#include <algorithm>
#include <cmath>

namespace heddle::workload::heartwall {
namespace {

constexpr int kFramesPerBeat = 26;
/// The heart is higher than wide.
constexpr double kAspect = 1.12;

/// The contraction, from 0 (at rest) to 1 (the heart is smallest).
double contraction(int frame) {
  const double phase = static_cast<double>(frame % kFramesPerBeat) / kFramesPerBeat;
  const double bump = 4 * phase * (1 - phase);
  return bump * bump;
}

/// (cos, sin) of a fraction of a turn: a series for a small angle, then repeated squaring as a
/// complex number. It uses no library function, so frames are the same on every host.
Place direction(double turns) {
  constexpr int kDoublings = 10;
  const double angle = turns * 6.283185307179586 / (1 << kDoublings);
  const double square = angle * angle;
  Place result{1 - square / 2 * (1 - square / 12), angle * (1 - square / 6 * (1 - square / 20))};
  for (int i = 0; i < kDoublings; ++i) {
    result = {result.x * result.x - result.y * result.y, 2 * result.x * result.y};
  }
  return result;
}

double radius_of(double dx, double dy) { return std::sqrt(dx * dx + dy * dy / kAspect / kAspect); }

double between(double x, double x0, double x1, double y0, double y1) {
  return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
}

/// 1 at distance 0, falling to 0 at `width`.
double ridge(double distance, double width) {
  return 1 - smooth_step(0, width, std::abs(distance));
}

}  // namespace

Sequence::Sequence(int width, int height, std::uint64_t seed)
    : width_(width), height_(height), seed_(seed), random_(seed), noise_(random_) {
  rest_.centre = {width * random_.uniform(0.49, 0.53), height * random_.uniform(0.53, 0.57)};
  rest_.inner = height * random_.uniform(0.155, 0.175);
  rest_.outer = rest_.inner + height * 0.09;
}

Sequence::Pose Sequence::pose(int number) const {
  const double squeezed = contraction(number);
  return {{rest_.centre.x + 0.01 * height_ * squeezed, rest_.centre.y - 0.015 * height_ * squeezed},
          rest_.inner * (1 - 0.28 * squeezed),
          rest_.outer * (1 - 0.1 * squeezed)};
}

std::vector<Place> Sequence::wall(int count, bool outer) const {
  std::vector<Place> places;
  for (int i = 0; i < count; ++i) {
    const Place way = direction((i + (outer ? 0.5 : 0.0)) / count);
    const double radius = outer ? rest_.outer : rest_.inner;
    places.push_back({rest_.centre.x + way.x * radius, rest_.centre.y + way.y * radius * kAspect});
  }
  return places;
}

Place Sequence::moved(Place place, int number) const {
  const Pose now = pose(number);
  const double dx = place.x - rest_.centre.x, dy = place.y - rest_.centre.y;
  const double rest = std::max(radius_of(dx, dy), 1e-9);
  double radius = rest;
  if (rest < rest_.inner) {
    radius = between(rest, 0, rest_.inner, 0, now.inner);
  } else if (rest < rest_.outer) {
    radius = between(rest, rest_.inner, rest_.outer, now.inner, now.outer);
  } else if (rest < far()) {
    radius = between(rest, rest_.outer, far(), now.outer, far());
  }
  return {now.centre.x + dx * radius / rest, now.centre.y + dy * radius / rest};
}

/// The brightness of tissue by its place at rest: its material and its speckle.
double Sequence::brightness(Place tissue) const {
  const double dx = tissue.x - rest_.centre.x, dy = tissue.y - rest_.centre.y;
  const double radius = radius_of(dx, dy), unit = height_ / 100.0;
  const double soft = 1.5 * unit;
  double base = 0.13;  // blood
  base += (0.46 - base) * smooth_step(rest_.inner - soft, rest_.inner + soft, radius);
  base += (0.26 - base) * smooth_step(rest_.outer - soft, rest_.outer + soft, radius);
  // The right ventricle is a crescent of blood beside the left one.
  const double beside = radius_of(dx + 1.05 * rest_.outer, dy + 0.1 * rest_.outer);
  if (radius > rest_.outer) {
    base += (0.11 - base) * (1 - smooth_step(0.8 * rest_.outer, 0.8 * rest_.outer + soft, beside)) *
            smooth_step(rest_.outer, rest_.outer + 2 * soft, radius);
  }
  // Two muscles inside, and the bright surfaces of the wall.
  for (const double side : {-1.0, 1.0}) {
    const double from = radius_of(dx - side * 0.5 * rest_.inner, dy - 0.55 * rest_.inner);
    base += (0.5 - base) * (1 - smooth_step(0.16 * rest_.inner, 0.25 * rest_.inner, from));
  }
  base += 0.25 * ridge(radius - rest_.inner, 1.5 * unit);
  base += 0.38 * ridge(radius - rest_.outer, 2 * unit);

  // The waves of many small scatterers add up to a random amplitude: speckle.
  const double x = tissue.x + 1000, y = tissue.y + 1000;
  const double real = noise_.at(x * 0.36, y * 0.48) - 0.5;
  const double imaginary = noise_.at(x * 0.36 + 91.5, y * 0.48 + 57.5) - 0.5;
  return base * (0.25 + 2.6 * std::sqrt(real * real + imaginary * imaginary));
}

/// Whether the point is in the fan that the probe at the top sees.
bool Sequence::is_in_fan(double x, double y) const {
  const double dx = x - width_ * 0.5, dy = y + height_ * 0.12;
  const double distance = dx * dx + dy * dy, near = 0.16 * height_, last = 1.1 * height_;
  return std::abs(dx) < 0.78 * dy && distance > near * near && distance < last * last;
}

std::vector<std::uint8_t> Sequence::frame(int number) const {
  const Pose now = pose(number);
  Random grain(seed_ * 0x2545f4914f6cdd1du + static_cast<std::uint64_t>(number));
  std::vector<std::uint8_t> levels;
  levels.reserve(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      double value = 0;
      if (is_in_fan(x, y)) {
        // The place of this tissue at rest.
        const double dx = x - now.centre.x, dy = y - now.centre.y;
        const double radius = std::max(radius_of(dx, dy), 1e-9);
        double rest = radius;
        if (radius < now.inner) {
          rest = between(radius, 0, now.inner, 0, rest_.inner);
        } else if (radius < now.outer) {
          rest = between(radius, now.inner, now.outer, rest_.inner, rest_.outer);
        } else if (radius < far()) {
          rest = between(radius, now.outer, far(), rest_.outer, far());
        }
        value =
            brightness({rest_.centre.x + dx * rest / radius, rest_.centre.y + dy * rest / radius});
        value += grain.uniform(-0.02, 0.02);
      }
      levels.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 1.0) * 255 + 0.5));
    }
  }
  return levels;
}

}  // namespace heddle::workload::heartwall
