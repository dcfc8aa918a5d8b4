#include "tracer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scene.h"

namespace heddle::demo {
namespace {

struct Vector {
  double x = 0, y = 0, z = 0;
};

/// a + b * scale.
Vector sum(const Vector& a, const Vector& b, double scale = 1) {
  return {a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}
double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector scaled(const Vector& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
Vector unit(const Vector& a) { return scaled(a, 1 / std::sqrt(dot(a, a))); }

struct Ray {
  Vector from, along;
};

struct Hit {
  double distance = std::numeric_limits<double>::infinity();
  const scene::Sphere* sphere = nullptr;  ///< Null: the floor.
};

/// Hits nearer than this are ignored: a reflected ray would hit the surface that it starts on.
constexpr double kNear = 1e-3;

/// The distance to the sphere along the ray; empty if the ray misses it.
std::optional<double> distance_to(const scene::Sphere& sphere, const Ray& ray) {
  // |from + t along - centre|^2 = radius^2, with |along| = 1.
  const Vector centre{sphere.x, sphere.y, sphere.z};
  const Vector offset = sum(ray.from, centre, -1);
  const double b = dot(offset, ray.along);
  const double c = dot(offset, offset) - double{sphere.radius} * sphere.radius;
  const double discriminant = b * b - c;
  if (discriminant < 0) return std::nullopt;
  for (const double t : {-b - std::sqrt(discriminant), -b + std::sqrt(discriminant)}) {
    if (t > kNear) return t;
  }
  return std::nullopt;
}

/// Empty if the ray hits nothing.
std::optional<Hit> first_hit(const Ray& ray) {
  Hit hit;
  bool is_hit = false;
  if (ray.along.y < 0 && -ray.from.y / ray.along.y >= kNear) {
    hit.distance = -ray.from.y / ray.along.y;
    is_hit = true;
  }
  for (const scene::Sphere& sphere : scene::kScene) {
    const std::optional<double> t = distance_to(sphere, ray);
    if (t && *t < hit.distance) {
      hit = {*t, &sphere};
      is_hit = true;
    }
  }
  return is_hit ? std::optional(hit) : std::nullopt;
}

bool is_in_shadow(const Vector& point, const Vector& to_light) {
  return std::any_of(std::begin(scene::kScene), std::end(scene::kScene),
                     [&](const scene::Sphere& s) {
                       return distance_to(s, {point, to_light}).has_value();
                     });
}

Vector sky(const Vector& along) {
  const double t = std::clamp(along.y * 1.4, 0.0, 1.0);
  return {0.85 - 0.55 * t, 0.90 - 0.40 * t, 1.0 - 0.12 * t};
}

Vector shade(Ray ray) {
  Vector colour;
  double share = 1;  // Of the ray in the pixel's colour.
  for (int bounce = 0; bounce <= scene::kMostBounces && share > 0.01; ++bounce) {
    const std::optional<Hit> hit = first_hit(ray);
    if (!hit) return sum(colour, sky(ray.along), share);

    const Vector point = sum(ray.from, ray.along, hit->distance);
    Vector normal{0, 1, 0};
    Vector paint;
    double mirror = 0.12;
    if (hit->sphere == nullptr) {
      const long tile = std::lround(std::floor(point.x)) + std::lround(std::floor(point.z));
      paint = tile % 2 != 0 ? Vector{0.18, 0.20, 0.24} : Vector{0.82, 0.80, 0.76};
    } else {
      const scene::Sphere& s = *hit->sphere;
      normal = unit(sum(point, {s.x, s.y, s.z}, -1));
      paint = {s.red, s.green, s.blue};
      mirror = s.mirror;
    }

    const Vector to_light = unit(sum({scene::kLightX, scene::kLightY, scene::kLightZ}, point, -1));
    const double facing = std::max(dot(normal, to_light), 0.0);
    const double lit = facing > 0 && !is_in_shadow(point, to_light) ? facing : 0;
    colour = sum(colour, paint, share * (1 - mirror) * (0.22 + 0.78 * lit));
    if (lit > 0 && hit->sphere != nullptr) {
      const double shine = std::max(dot(normal, unit(sum(to_light, ray.along, -1))), 0.0);
      colour = sum(colour, {1, 1, 1}, share * 0.6 * std::pow(shine, 60));
    }
    share *= mirror;
    ray = {point, unit(sum(ray.along, normal, -2 * dot(ray.along, normal)))};
  }
  return colour;
}

/// A channel from 0 to 255, gamma-corrected.
std::uint32_t byte(double value) {
  return static_cast<std::uint32_t>(std::sqrt(std::clamp(value, 0.0, 1.0)) * 255 + 0.5);
}

}  // namespace

Picture trace_on_host(int width, int height) {
  Picture picture{.width = width, .height = height, .pixels = {}};
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const Vector along = unit({(column + 0.5 - 0.5 * width) / height,
                                 (0.5 * height - row - 0.5) / height - 0.12, 0.95});
      const Vector colour = shade({{scene::kEyeX, scene::kEyeY, scene::kEyeZ}, along});
      picture.pixels.push_back(byte(colour.x) | byte(colour.y) << 8 | byte(colour.z) << 16 |
                               0xff000000U);
    }
  }
  return picture;
}

}  // namespace heddle::demo
