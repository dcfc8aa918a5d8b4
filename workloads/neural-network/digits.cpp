#include "digits.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernel.h"

namespace heddle::workload {
namespace {

using neural_network::kImageSide;

struct Point {
  double x, y;
};

/// A line of the pen from the first point to the last. It bends smoothly towards the points
/// between.
struct Stroke {
  std::vector<Point> points;
  bool is_closed = false;  ///< Whether it returns to the first point.
};

using Glyph = std::vector<Stroke>;

/// The glyphs of each digit, in a box from (0, 0) at the top left to (1, 1). A digit that people
/// write in several ways has several glyphs.
const std::array<std::vector<Glyph>, 10>& glyphs() {
  static const std::array<std::vector<Glyph>, 10> all{{
      {{{{{.5, 0}, {.1, .05}, {.02, .5}, {.1, .95}, {.5, 1}, {.9, .95}, {.98, .5}, {.9, .05}},
         true}}},
      {{{{{.5, 0}, {.5, 1}}}},
       {{{{.22, .25}, {.52, 0}}}, {{{.52, 0}, {.52, 1}}}},
       {{{{.22, .22}, {.52, 0}}}, {{{.52, 0}, {.52, 1}}}, {{{.25, 1}, {.8, 1}}}}},
      {{{{{.06, .28}, {.1, -.03}, {.9, -.03}, {.98, .4}, {.5, .68}, {.05, 1}}},
        {{{.05, 1}, {.97, .98}}}}},
      {{{{{.08, .1}, {.5, -.06}, {.92, .06}, {.92, .46}, {.38, .47}}},
        {{{.38, .47}, {1, .47}, {1.02, .94}, {.5, 1.06}, {.04, .88}}}}},
      {{{{{.62, 0}, {.04, .68}}}, {{{.04, .68}, {1, .68}}}, {{{.7, .38}, {.7, 1}}}},
       {{{{.7, 0}, {.02, .66}}}, {{{.02, .66}, {1, .66}}}, {{{.7, 0}, {.7, 1}}}}},
      {{{{{.9, 0}, {.2, 0}}},
        {{{.2, 0}, {.14, .46}}},
        {{{.14, .46}, {.6, .28}, {1.02, .5}, {.98, .96}, {.5, 1.06}, {.04, .9}}}}},
      {{{{{.82, .02},
          {.3, .12},
          {.02, .5},
          {.02, 1},
          {.5, 1.06},
          {.98, .98},
          {.98, .54},
          {.5, .44},
          {.08, .64}}}}},
      {{{{{.04, 0}, {.96, 0}}}, {{{.96, 0}, {.56, .45}, {.4, 1}}}},
       {{{{.04, 0}, {.96, 0}}}, {{{.96, 0}, {.56, .45}, {.4, 1}}}, {{{.28, .5}, {.84, .5}}}}},
      {{{{{.5, 0}, {.1, .02}, {.1, .44}, {.5, .47}, {.9, .44}, {.9, .02}}, true},
        {{{.5, .47}, {.03, .5}, {.03, .98}, {.5, 1}, {.97, .98}, {.97, .5}}, true}}},
      {{{{{.94, .3}, {.8, .54}, {.06, .6}, {.02, -.02}, {.55, -.06}, {.94, .08}}},
        {{{.94, .08}, {.94, .5}, {.78, 1}}}}},
  }};
  return all;
}

/// Cuts the corners of a stroke, which about doubles its points (Chaikin). Its ends stay.
Stroke smoother(const Stroke& stroke) {
  Stroke smooth{.points = {}, .is_closed = stroke.is_closed};
  const std::size_t count = stroke.points.size();
  if (!stroke.is_closed) smooth.points.push_back(stroke.points.front());
  for (std::size_t i = 0; i + (stroke.is_closed ? 0 : 1) < count; ++i) {
    const Point& a = stroke.points[i];
    const Point& b = stroke.points[(i + 1) % count];
    smooth.points.push_back({.75 * a.x + .25 * b.x, .75 * a.y + .25 * b.y});
    smooth.points.push_back({.25 * a.x + .75 * b.x, .25 * a.y + .75 * b.y});
  }
  if (!stroke.is_closed) smooth.points.push_back(stroke.points.back());
  return smooth;
}

/// The writer's hand: size, place, slant and rotation.
class Hand {
 public:
  explicit Hand(Random& random)
      : width_(random.uniform(9, 13)),
        height_(random.uniform(16, 20)),
        slant_(random.uniform(-.25, .15)),
        middle_{random.uniform(12.8, 15.2), random.uniform(13, 15)} {
    const double half_tangent = random.uniform(-.09, .09);
    cosine_ = (1 - half_tangent * half_tangent) / (1 + half_tangent * half_tangent);
    sine_ = 2 * half_tangent / (1 + half_tangent * half_tangent);
  }

  Point place(const Point& point) const {
    const double y = (point.y - .5) * height_;
    const double x = (point.x - .5) * width_ + slant_ * y;
    return {middle_.x + cosine_ * x - sine_ * y, middle_.y + sine_ * x + cosine_ * y};
  }

 private:
  double width_, height_, slant_, cosine_, sine_;
  Point middle_;
};

double distance_to_line(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double along =
      square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
  const double x = a.x + along * dx - p.x, y = a.y + along * dy - p.y;
  return std::sqrt(x * x + y * y);
}

/// Draws ink with soft edges on the pixels near the line.
void draw_line(std::vector<float>& image, const Point& a, const Point& b, double pen) {
  constexpr double kSoft = .8;
  const double reach = pen + kSoft;
  const auto first = [&](double v) { return std::max(static_cast<int>(std::ceil(v - reach)), 0); };
  const auto last = [&](double v) {
    return std::min(static_cast<int>(std::floor(v + reach)), kImageSide - 1);
  };
  for (int row = first(std::min(a.y, b.y)); row <= last(std::max(a.y, b.y)); ++row) {
    for (int column = first(std::min(a.x, b.x)); column <= last(std::max(a.x, b.x)); ++column) {
      const Point pixel{static_cast<double>(column), static_cast<double>(row)};
      const double ink =
          std::clamp((reach - distance_to_line(pixel, a, b)) / (2 * kSoft), 0.0, 1.0);
      float& value = image[static_cast<std::size_t>(row * kImageSide + column)];
      value = std::max(value, static_cast<float>(ink));
    }
  }
}

}  // namespace

std::vector<float> draw_digit(int digit, Random& random) {
  std::vector<float> image(neural_network::kImage, 0.0f);
  const auto& ways = glyphs()[static_cast<std::size_t>(digit)];
  const Glyph& glyph = ways[random.below(static_cast<std::uint32_t>(ways.size()))];
  const Hand hand(random);
  const double pen = random.uniform(.7, 1.5);
  const double tremble = random.uniform(0, .05);
  const std::uint64_t trembling = random.next();
  for (const Stroke& stroke : glyph) {
    Stroke drawn = stroke;
    for (Point& point : drawn.points) {
      // A point that two strokes share is displaced in the same way, so that they still meet.
      const auto place = static_cast<std::int64_t>(1000 * point.x + 100'000 * point.y);
      Random astray(trembling ^ static_cast<std::uint64_t>(place));
      const double x = point.x + tremble * astray.normal();
      const double y = point.y + tremble * astray.normal();
      point = hand.place({x, y});
    }
    drawn = smoother(smoother(drawn));
    const std::size_t count = drawn.points.size();
    for (std::size_t i = 0; i + (drawn.is_closed ? 0 : 1) < count; ++i) {
      draw_line(image, drawn.points[i], drawn.points[(i + 1) % count], pen);
    }
  }
  return image;
}

}  // namespace heddle::workload
