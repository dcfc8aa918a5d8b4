#include "ray_march.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace heddle::workload::volume_render {
namespace {

using Vector = std::array<double, 3>;

Vector vector_of(const ::volume_render::Point& point) { return {point.x, point.y, point.z}; }

/// A few roundings of floats, of values up to 1.
constexpr double kRounding = 0x1p-22;
/// The error of a sample's place in the texture, in sides of the volume. Its place in the box has
/// some ten roundings of distances up to 5.5, the place in the texture one more.
constexpr double kErrorOfPlace = 0x1p-18;

/// A value, and the bound of a GPU's deviation from it.
struct Uncertain {
  double value = 0, error = 0;
};

/// A place between a texel and the next, with a weight that the texture unit rounds to 256ths. If
/// the place is uncertain, so is the rounding.
struct Between {
  int first = 0;
  Uncertain share;
};

Between between_texels(double texel, double error) {
  const double first = std::floor(texel);
  const double exact = (texel - first) * 256;
  const double rounded = std::floor(exact + 0.5);
  const double off = std::floor(std::abs(exact - rounded) + 256 * error + 0.5);
  return {static_cast<int>(first), {rounded / 256, off / 256}};
}

/// The density by the linear filter. The far corner's weight is a product rounded to 256ths, and
/// the others make up the rest.
Uncertain density_in_slice(const Scene& scene, const Between& x, const Between& y, int slice) {
  const auto inside = [&](int i) {
    return static_cast<std::size_t>(std::clamp(i, 0, scene.side - 1));
  };
  const auto texel = [&](int column, int row) {
    const auto side = static_cast<std::size_t>(scene.side);
    const std::size_t index = (inside(slice) * side + inside(row)) * side + inside(column);
    return scene.texels[index] / 255.0;
  };
  const double a = texel(x.first, y.first), b = texel(x.first + 1, y.first);
  const double c = texel(x.first, y.first + 1), d = texel(x.first + 1, y.first + 1);
  const double far = std::floor(x.share.value * y.share.value * 256 + 0.5) / 256;
  const double contrast = std::max({a, b, c, d}) - std::min({a, b, c, d});
  return {a + (x.share.value - far) * (b - a) + (y.share.value - far) * (c - a) + far * (d - a),
          // The errors of both weights, which also change the far corner's weight, and the rounding
          // of the filter's result.
          2 * (x.share.error + y.share.error) * contrast + 0x1p-17};
}

Uncertain density_at(const Scene& scene, const Vector& place) {
  const double error = scene.side * kErrorOfPlace;
  const auto texel = [&](std::size_t axis) { return (place.at(axis) + 1) / 2 * scene.side - 0.5; };
  const Between x = between_texels(texel(0), error), y = between_texels(texel(1), error);
  const double slice = std::floor(texel(2));
  const double share = texel(2) - slice;
  const Uncertain lower = density_in_slice(scene, x, y, static_cast<int>(slice));
  const Uncertain upper = density_in_slice(scene, x, y, static_cast<int>(slice) + 1);
  return {(1 - share) * lower.value + share * upper.value,
          std::max(lower.error, upper.error) + error * std::abs(upper.value - lower.value)};
}

/// The colour of a density.
RayColour colour_of(const Scene& scene, const Uncertain& density) {
  const int last = static_cast<int>(scene.transfer.size()) - 1;
  const Between place =
      between_texels(density.value * (last + 1) - 0.5, (density.error + kRounding) * (last + 1));
  const auto at = [&](int i, std::size_t channel) {
    return scene.transfer[static_cast<std::size_t>(std::clamp(i, 0, last))].at(channel);
  };
  RayColour look;
  for (std::size_t channel = 0; channel < look.colour.size(); ++channel) {
    const double first = at(place.first, channel), next = at(place.first + 1, channel);
    look.colour.at(channel) = first + place.share.value * (next - first);
    // A wrong place may be between two other texels.
    double contrast = 0;
    for (int i = place.first - 1; i <= place.first + 1; ++i) {
      contrast = std::max(contrast, std::abs(at(i + 1, channel) - at(i, channel)));
    }
    look.error.at(channel) = contrast * place.share.error;
  }
  return look;
}

/// Composites a sample, of opacity `most_opaque` at most, behind the others. Its contribution is
/// wrong by the error of the hidden share and by the visible part of its own opacity's error.
void composite_behind(RayColour& seen, const RayColour& look, double most_opaque) {
  const double through = 1 - seen.colour[kOpacity];
  const double share = through * most_opaque * look.colour[kOpacity];
  const double error_of_share =
      seen.error[kOpacity] * most_opaque * look.colour[kOpacity] +
      (through + seen.error[kOpacity]) * most_opaque * look.error[kOpacity] + kRounding * share;
  for (std::size_t channel = 0; channel < kOpacity; ++channel) {
    seen.colour.at(channel) += share * look.colour.at(channel);
    seen.error.at(channel) += error_of_share * look.colour.at(channel) +
                              (share + error_of_share) * look.error.at(channel) + kRounding / 4;
  }
  seen.colour[kOpacity] += share;
  seen.error[kOpacity] += error_of_share + kRounding / 4;
}

struct Ray {
  Vector from{}, along{};
  /// The interval of the ray inside the box.
  double near = 0, far = std::numeric_limits<double>::infinity();

  Vector at(double distance) const {
    Vector place{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      place.at(axis) = from.at(axis) + distance * along.at(axis);
    }
    return place;
  }
};

Ray ray_through(const ::volume_render::Camera& camera, std::size_t column, std::size_t row) {
  const Vector corner = vector_of(camera.corner), right = vector_of(camera.right),
               down = vector_of(camera.down);
  Ray ray{.from = vector_of(camera.eye)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    ray.along.at(axis) = corner.at(axis) + static_cast<double>(column) * right.at(axis) +
                         static_cast<double>(row) * down.at(axis);
  }
  const double length = std::hypot(ray.along[0], ray.along[1], ray.along[2]);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    ray.along.at(axis) /= length;
    const double middle = -ray.from.at(axis) / ray.along.at(axis);
    const double reach = 1 / std::abs(ray.along.at(axis));
    ray.near = std::max(ray.near, middle - reach);
    ray.far = std::min(ray.far, middle + reach);
  }
  return ray;
}

}  // namespace

RayColour colour_along_ray(const Scene& scene, const ::volume_render::Camera& camera,
                           const ::volume_render::March& march, std::size_t column,
                           std::size_t row) {
  const Ray ray = ray_through(camera, column, row);
  const auto step = static_cast<double>(march.step);
  const int samples =
      ray.near < ray.far ? static_cast<int>(std::ceil((ray.far - ray.near) / step)) : 0;
  RayColour seen;
  std::optional<double> opacity_at_first_end;
  for (int i = 0; i < samples; ++i) {
    composite_behind(seen, colour_of(scene, density_at(scene, ray.at(ray.near + i * step))),
                     static_cast<double>(march.opacity));
    const double above = seen.colour[kOpacity] - static_cast<double>(::volume_render::kOpaque);
    // A GPU's ray may end at the first sample at which opacity, with its error, may suffice. It
    // must end at the first sample at which it surely does.
    if (above > -seen.error[kOpacity] && !opacity_at_first_end) {
      opacity_at_first_end = seen.colour[kOpacity];
    }
    if (above > seen.error[kOpacity]) break;
  }
  // No channel can grow by more than the opacity does.
  if (opacity_at_first_end) {
    for (double& error : seen.error) error += seen.colour[kOpacity] - *opacity_at_first_end;
  }
  return seen;
}

}  // namespace heddle::workload::volume_render
