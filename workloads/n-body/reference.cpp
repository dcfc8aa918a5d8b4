#include "reference.h"

#include <algorithm>
#include <cmath>

namespace heddle::workload {
namespace {

constexpr double kRounding = 0x1p-24;

/// The roundings in one attraction: three for each coordinate of the distance and its square, which
/// count half for a root; 2.2 for the reciprocal root; these three times, because it is cubed; five
/// for the cube, the mass, the distance and the product.
constexpr double kRoundingsOfAPair = 3 * (2.5 + 2.2) + 5;

struct Attraction {
  Vector acceleration{};
  double error = 0;  ///< In each coordinate.
};

Attraction attraction_on(const BoundedBody& attracted, const std::vector<BoundedBody>& bodies,
                         double softening_squared) {
  Attraction result;
  for (const BoundedBody& other : bodies) {
    Vector away{};
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      away[i] = other.position[i] - attracted.position[i];
      square += away[i] * away[i];
    }
    const double distance = std::sqrt(square + softening_squared);
    const double strength = other.mass / (distance * distance * distance);
    double greatest = 0;
    double greatest_sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      result.acceleration[i] += strength * away[i];
      greatest = std::max(greatest, std::abs(strength * away[i]));
      greatest_sum = std::max(greatest_sum, std::abs(result.acceleration[i]));
    }
    result.error += kRounding * (kRoundingsOfAPair * greatest + greatest_sum);
    // Displacement of the two bodies changes the attraction along the line between them by at most
    // twice its strength.
    result.error +=
        2 * strength * std::sqrt(3.0) * (attracted.position_error + other.position_error);
  }
  return result;
}

double greatest(const Vector& vector) {
  return std::max({std::abs(vector[0]), std::abs(vector[1]), std::abs(vector[2])});
}

}  // namespace

std::vector<BoundedBody> step_on_host(const std::vector<BoundedBody>& bodies,
                                      const n_body::Step& step) {
  const double interval = step.interval;
  const double damping = step.damping;
  std::vector<BoundedBody> result;
  for (BoundedBody body : bodies) {
    const Attraction attraction = attraction_on(body, bodies, step.softening_squared);
    for (std::size_t i = 0; i < 3; ++i) {
      body.velocity[i] = damping * (body.velocity[i] + interval * attraction.acceleration[i]);
      body.position[i] += interval * body.velocity[i];
    }
    // Two multiply-adds and a product, each rounded.
    body.velocity_error = body.velocity_error + interval * attraction.error +
                          2 * kRounding * greatest(body.velocity) / damping;
    body.position_error =
        body.position_error + interval * body.velocity_error + kRounding * greatest(body.position);
    result.push_back(body);
  }
  return result;
}

}  // namespace heddle::workload
