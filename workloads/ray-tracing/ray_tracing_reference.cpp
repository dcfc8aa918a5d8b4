#include "ray_tracing_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/colour.h"

namespace heddle::workload {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Vector {
 public:
  Vector() = default;
  Vector(double x, double y, double z) : axes_{x, y, z} {}
  explicit Vector(const ray_tracing::Point& p) : axes_{p.x, p.y, p.z} {}

  double operator[](std::size_t axis) const { return axes_[axis]; }
  Vector plus(const Vector& other, double times = 1) const {
    return {std::fma(other[0], times, axes_[0]), std::fma(other[1], times, axes_[1]),
            std::fma(other[2], times, axes_[2])};
  }
  Vector times(double factor) const { return Vector().plus(*this, factor); }
  double inner(const Vector& other) const {
    return axes_[0] * other[0] + axes_[1] * other[1] + axes_[2] * other[2];
  }
  double length() const { return std::sqrt(inner(*this)); }
  Vector normalized() const { return times(1 / length()); }

 private:
  std::array<double, 3> axes_{};
};

struct Ray {
  Vector start, direction;
};

struct Surface {
  Vector point, normal, colour;
  double mirror = 0, shine = 0, distance = 0;
  double haze = 0;  ///< The share of the surface's light that haze replaces.
};

class Tracer {
 public:
  explicit Tracer(const ray_tracing::Scene& scene) : scene_(scene), light_(scene.light) {}

  Vector light_along(const Ray& ray, double share, int bounces_left) const {
    if (bounces_left < 0 || share < double{ray_tracing::kLeastShare}) return {};
    const std::optional<Surface> surface = first_surface(ray);
    if (!surface) return sky(ray.direction);

    const double cosine = -ray.direction.inner(surface->normal);
    const double mirror =
        surface->mirror + (1 - surface->mirror) / 2 * std::pow(std::max(1 - cosine, 0.0), 5);
    const double clear = 1 - surface->haze;
    const Ray mirrored{surface->point, ray.direction.plus(surface->normal, 2 * cosine)};
    return sky(ray.direction)
        .times(surface->haze)
        .plus(scattered(*surface, ray.direction), clear * (1 - mirror))
        .plus(light_along({mirrored.start, mirrored.direction.normalized()}, share * clear * mirror,
                          bounces_left - 1),
              clear * mirror);
  }

 private:
  // The distance to a ball, or infinity if the ray misses it. It is the lesser solution t of
  // |start + t direction - centre|^2 = radius^2.
  static double distance_to(const ray_tracing::Ball& ball, const Ray& ray) {
    const Vector offset = ray.start.plus(Vector(ball.centre), -1);
    const double half_b = offset.inner(ray.direction);
    const double c = offset.inner(offset) - double{ball.radius} * double{ball.radius};
    const double discriminant = half_b * half_b - c;
    if (discriminant <= 0) return kInfinity;
    const double t = -half_b - std::sqrt(discriminant);
    return t > double{ray_tracing::kNear} ? t : kInfinity;
  }

  std::optional<Surface> first_surface(const Ray& ray) const {
    std::array<double, ray_tracing::kMostBalls> distances{};
    const auto end = std::transform(scene_.balls, scene_.balls + scene_.count, distances.begin(),
                                    [&](const auto& ball) { return distance_to(ball, ray); });
    const auto nearest = std::min_element(distances.begin(), end);
    const double to_floor = ray.direction[1] < 0 ? ray.start[1] / -ray.direction[1] : kInfinity;
    if (to_floor > double{ray_tracing::kNear} && to_floor < *nearest) {
      return to_floor < kInfinity ? std::optional(floor_at(ray, to_floor)) : std::nullopt;
    }
    if (*nearest == kInfinity) return std::nullopt;
    const auto ball = static_cast<std::size_t>(nearest - distances.begin());
    const Vector point = ray.start.plus(ray.direction, *nearest);
    return Surface{.point = point,
                   .normal = point.plus(Vector(scene_.balls[ball].centre), -1).normalized(),
                   .colour = Vector(scene_.paints[ball].colour),
                   .mirror = scene_.paints[ball].mirror,
                   .shine = scene_.paints[ball].shine,
                   .distance = *nearest};
  }

  static Surface floor_at(const Ray& ray, double distance) {
    const Vector point = ray.start.plus(ray.direction, distance);
    const auto odd = [](double along) {
      return std::fmod(std::floor(along / double{ray_tracing::kTile}), 2) != 0;
    };
    return {.point = point,
            .normal = {0, 1, 0},
            .colour = odd(point[0]) != odd(point[2]) ? Vector{0.10, 0.12, 0.16}
                                                     : Vector{0.80, 0.78, 0.72},
            .mirror = double{ray_tracing::kFloorMirror},
            .shine = 0,
            .distance = distance,
            .haze = 1 / (1 + std::pow(double{ray_tracing::kHaze} / distance, 2))};
  }

  Vector scattered(const Surface& surface, const Vector& seen_along) const {
    constexpr double kAmbient{ray_tracing::kAmbient};
    const Vector way = light_.plus(surface.point, -1);
    const Ray to_light{surface.point, way.normalized()};
    const double lambert = surface.normal.inner(to_light.direction);
    const bool is_shadowed =
        std::any_of(scene_.balls, scene_.balls + scene_.count,
                    [&](const auto& ball) { return distance_to(ball, to_light) < way.length(); });
    if (lambert <= 0 || is_shadowed) return surface.colour.times(kAmbient);
    const Vector half_way = to_light.direction.plus(seen_along, -1).normalized();
    const double gleam =
        surface.shine * std::pow(std::max(surface.normal.inner(half_way), 0.0), 64);
    return surface.colour.times(kAmbient + (1 - kAmbient) * lambert).plus({1, 1, 1}, gleam);
  }

  static Vector sky(const Vector& direction) {
    const double blue = std::clamp(2.2 * direction[1], 0.0, 1.0);
    return Vector{0.93, 0.80, 0.66}.times(1 - blue).plus({0.16, 0.30, 0.62}, blue);
  }

  const ray_tracing::Scene& scene_;
  Vector light_;
};

std::uint32_t level(double light) {
  return static_cast<std::uint32_t>(std::lround(std::sqrt(std::clamp(light, 0.0, 1.0)) * 255));
}

}  // namespace

Picture trace_on_host(const ray_tracing::Scene& scene, int width, int height) {
  const Tracer tracer(scene);
  const ray_tracing::Camera& camera = scene.camera;
  Picture picture{.width = width, .height = height, .pixels = {}};
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const Vector direction = Vector(camera.corner)
                                   .plus(Vector(camera.right), column)
                                   .plus(Vector(camera.down), row)
                                   .normalized();
      const Vector light =
          tracer.light_along({Vector(camera.eye), direction}, 1, ray_tracing::kMostBounces);
      picture.pixels.push_back(rgb(level(light[0]), level(light[1]), level(light[2])));
    }
  }
  return picture;
}

}  // namespace heddle::workload
