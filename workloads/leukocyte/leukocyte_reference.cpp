#include "leukocyte_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kernel.h"

namespace heddle::workload::leukocyte {
namespace {

using namespace ::leukocyte;

/// The points of a circle, relative to its middle.
struct Circle {
  struct Point {
    double cosine, sine;
    int x, y;
  };
  std::vector<Point> points;

  explicit Circle(int radius) {
    for (int i = 0; i < kPoints; ++i) {
      const double angle = 2 * std::numbers::pi * i / kPoints;
      const double cosine = std::cos(angle), sine = std::sin(angle);
      points.push_back({cosine, sine, static_cast<int>(std::floor(radius * cosine + 0.5)),
                        static_cast<int>(std::floor(radius * sine + 0.5))});
    }
  }
};

/// The score of one circle, from the deviations of its points from their mean. A sum of 150
/// numbers, each a sum of two products, is rounded at most 160 times.
Estimate score_of(const Gradient& gradient, int middle_x, int middle_y, const Circle& circle) {
  std::array<double, kPoints> outwards{};
  double mean = 0, magnitude = 0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const Circle::Point& point = circle.points[i];
    const auto pixel =
        static_cast<std::size_t>((middle_y + point.y) * gradient.width + middle_x + point.x);
    const auto across = static_cast<double>(gradient.x[pixel]);
    const auto down = static_cast<double>(gradient.y[pixel]);
    outwards.at(i) = across * point.cosine + down * point.sine;
    mean += outwards.at(i) / kPoints;
    magnitude += (std::abs(across) + std::abs(down)) / kPoints;
  }
  double variance = 0, squares = 0;
  for (const double value : outwards) {
    variance += (value - mean) * (value - mean) / kPoints;
    squares += value * value / kPoints;
  }
  constexpr double kRoundings = kPoints + 10;
  const double mean_error = kRoundings * magnitude;
  const double variance_error = kRoundings * squares + 2 * std::abs(mean) * mean_error;
  const double score = mean * mean / variance;
  return {score,
          2 * std::abs(mean) * mean_error / variance + score * (variance_error / variance + 3)};
}

}  // namespace

int circle_radius(int circle) {
  constexpr std::array<int, kMostCircles> kRadii{10, 12, 8, 14, 6, 16, 18};
  return kRadii.at(static_cast<std::size_t>(circle));
}

std::vector<Estimate> scores_of(const Gradient& gradient, int circles) {
  std::vector<Circle> tried;
  for (int i = 0; i < circles; ++i) tried.emplace_back(circle_radius(i));
  std::vector<Estimate> scores;
  for (int y = kMargin; y < gradient.height - kMargin; ++y) {
    for (int x = kMargin; x < gradient.width - kMargin; ++x) {
      Estimate best;
      for (const Circle& circle : tried) {
        const Estimate score = score_of(gradient, x, y, circle);
        best = {std::max(best.value, score.value), std::max(best.error, score.error)};
      }
      scores.push_back(best);
    }
  }
  return scores;
}

std::vector<float> dilation_of(const std::vector<float>& scores, int width, int height) {
  std::vector<float> dilated(scores.size());
  for (int dy = -kDiskRadius; dy <= kDiskRadius; ++dy) {
    // A row of the disk is a run of pixels.
    int reach = 0;
    while ((reach + 1) * (reach + 1) + dy * dy <= kDiskRadius * kDiskRadius) ++reach;
    for (int y = std::max(0, -dy); y < std::min(height, height - dy); ++y) {
      const auto from = scores.begin() + static_cast<std::ptrdiff_t>(y + dy) * width;
      for (int x = 0; x < width; ++x) {
        float& greatest = dilated[static_cast<std::size_t>(y * width + x)];
        const auto first = from + std::max(x - reach, 0);
        greatest =
            std::max(greatest, *std::max_element(first, from + std::min(x + reach + 1, width)));
      }
    }
  }
  return dilated;
}

Flow flow_of(const std::vector<double>& edges, Direction direction, int iterations) {
  Flow flow{.field = edges, .changes = {}};
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const std::vector<double> before = flow.field;
    double change = 0;
    for (int i = 0; i < kWindowArea; ++i) {
      const double here = before[static_cast<std::size_t>(i)];
      double sum = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int row = std::clamp(i / kWindowWidth + dy, 0, kWindowHeight - 1);
          const int column = std::clamp(i % kWindowWidth + dx, 0, kWindowWidth - 1);
          const double difference =
              before[static_cast<std::size_t>(row * kWindowWidth + column)] - here;
          const double slope = difference * (dx * direction.x + dy * direction.y) / kSoftness;
          // A smooth step from 0 to 1.
          const double share = slope < 0 ? 1 / (1 - slope) / 2 : (1 + 2 * slope) / (1 + slope) / 2;
          sum += share * difference;
        }
      }
      const double edge = edges[static_cast<std::size_t>(i)];
      constexpr double kPart = kStep;
      const double next = here + kPart * (kSmoothing * sum - edge * (here - edge));
      flow.field[static_cast<std::size_t>(i)] = next;
      change += std::abs(next - here) / kWindowArea;
    }
    flow.changes.push_back(change);
  }
  return flow;
}

}  // namespace heddle::workload::leukocyte
