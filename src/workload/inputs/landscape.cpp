#include "workload/inputs/landscape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/colour.h"
#include "workload/inputs/noise.h"
#include "workload/random.h"

namespace heddle::workload {
namespace {

struct Colour {
  double red = 0, green = 0, blue = 0;
};

Colour operator*(Colour a, double factor) {
  return {a.red * factor, a.green * factor, a.blue * factor};
}

Colour mix(Colour a, Colour b, double share) {
  return {a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
          a.blue + (b.blue - a.blue) * share};
}

/// Heights along the picture's width, as a function of x from 0 (left) to 1 (right).
class Profile {
 public:
  static constexpr std::size_t kPoints = 2048;

  Profile() : heights_(kPoints + 1) {}

  /// A ridge by midpoint displacement: halves every interval and moves its middle by ever smaller
  /// amounts.
  static Profile ridge(double low, double high, double roughness, Random& random) {
    Profile profile;
    auto& heights = profile.heights_;
    heights.front() = random.uniform(low, high);
    heights.back() = random.uniform(low, high);
    double displacement = (high - low) * 0.5;
    for (std::size_t step = kPoints; step > 1; step /= 2) {
      for (std::size_t i = 0; i < kPoints; i += step) {
        heights[i + step / 2] =
            (heights[i] + heights[i + step]) / 2 + random.uniform(-displacement, displacement);
      }
      displacement *= roughness;
    }
    const auto [min, max] = std::minmax_element(heights.begin(), heights.end());
    const double lowest = *min, scale = (high - low) / (*max - *min);
    for (double& height : heights) height = low + (height - lowest) * scale;
    return profile;
  }

  /// Firs side by side, with gaps where the noise is low.
  static Profile wood(double aspect, const Noise& noise, Random& random) {
    Profile profile;
    for (double x = 0; x < 1; x += random.uniform(0.004, 0.012) / aspect) {
      const double density =
          noise.at(x * 5, 3.5) - 0.35 * smooth_step(0.3, 0.5, x) * (1 - smooth_step(0.6, 0.85, x));
      if (density > 0.25) profile.plant(x, random.uniform(0.04, 0.06 + 0.08 * density), aspect);
    }
    return profile;
  }

  double at(double x) const {
    const double place = std::clamp(x, 0.0, 0.999999) * kPoints;
    const auto i = static_cast<std::size_t>(place);
    return heights_[i] + (heights_[i + 1] - heights_[i]) * (place - static_cast<double>(i));
  }

 private:
  /// A fir: a triangle with a ragged edge.
  void plant(double x, double height, double aspect) {
    const double half_width = height * 0.24 / aspect;
    for (std::size_t i = 0; i < heights_.size(); ++i) {
      const double distance = std::abs(static_cast<double>(i) / kPoints - x) / half_width;
      if (distance > 1) continue;
      const double branch = distance * 6 - static_cast<double>(static_cast<int>(distance * 6));
      heights_[i] = std::max(heights_[i], height * (1 - distance + 0.10 * branch));
    }
  }

  std::vector<double> heights_;
};

/// Computes the scene's colour at x in [0, 1) from the left and y in [0, 1) from the top.
class Scene {
 public:
  Scene(double aspect, std::uint64_t seed)
      : aspect_(aspect),
        random_(seed),
        noise_(random_),
        far_(Profile::ridge(0.12, 0.36, 0.50, random_)),
        near_(Profile::ridge(0.03, 0.21, 0.47, random_)),
        wood_(Profile::wood(aspect, noise_, random_)),
        sun_x_(random_.uniform(0.25, 0.75)),
        sun_y_(random_.uniform(0.13, 0.19)) {}

  Colour at(double x, double y) const {
    if (y > meadow_at(x)) return with_house(x, y, meadow(x, y));
    const Colour behind = y < kShore ? above_water(x, y) : lake(x, y);
    return with_house(x, y, behind);
  }

 private:
  static constexpr double kShore = 0.56;  ///< The y of the lake's far shore.

  Colour sky(double x, double y) const {
    const Colour gradient = mix({0.20, 0.38, 0.68}, {0.97, 0.80, 0.60}, smooth_step(0, kShore, y));
    const double dx = (x - sun_x_) * aspect_, dy = y - sun_y_;
    const double from_sun = dx * dx + dy * dy;
    const Colour lit = mix(gradient, {1.00, 0.93, 0.75}, 0.75 / (1 + from_sun * 70));
    const double cloud = noise_.octaves(x * aspect_ * 3 + 5, y * 9 + 40, 5);
    const double cover = smooth_step(0.48, 0.72, cloud) * (1 - 0.6 * y / kShore);
    const double shade = noise_.octaves(x * aspect_ * 3 + 5, y * 9 + 40.35, 3);
    const Colour clouds =
        mix({1.00, 0.97, 0.92}, {0.66, 0.64, 0.70}, smooth_step(0.4, 0.75, shade));
    const double sun = 1 - smooth_step(0.00105, 0.00135, from_sun);
    return mix(mix(lit, clouds, 0.85 * cover), {1.0, 0.98, 0.88}, sun * (1 - 0.5 * cover));
  }

  /// Rock and snow, bright where the slope faces the sun.
  Colour mountain(const Profile& ridge, double x, double y, Colour rock, double snow_line) const {
    const double above = kShore - y;
    const double below_ridge = ridge.at(x) - above;
    const double grain = noise_.octaves(x * aspect_ * 22, y * 30 + below_ridge * 40, 4);
    const double slope = ridge.at(x + 0.006) - ridge.at(x - 0.006);
    const double facing = slope * std::clamp((x - sun_x_) * 5, -1.0, 1.0);
    const double light = std::clamp(0.75 - facing * 12, 0.45, 1.15) + (grain - 0.5) * 0.7;
    const double snow = smooth_step(snow_line, snow_line + 0.03, above + (grain - 0.5) * 0.16);
    return mix(rock, {0.93, 0.94, 0.98}, snow) * light;
  }

  Colour above_water(double x, double y) const {
    const double above = kShore - y;
    const Colour haze{0.80, 0.74, 0.72};
    if (above < wood_.at(x)) {
      const double needles = noise_.octaves(x * aspect_ * 120, y * 160, 2);
      return Colour{0.10, 0.16, 0.09} * (0.45 + 0.9 * needles + 2 * above);
    }
    if (above < near_.at(x)) {
      const Colour slope = mountain(near_, x, y, {0.29, 0.36, 0.25}, 0.5);
      return mix(slope, haze, 0.12 + 0.25 * (1 - smooth_step(0, 0.15, above)));
    }
    if (above < far_.at(x)) {
      const Colour slope = mountain(far_, x, y, {0.40, 0.40, 0.46}, 0.22);
      return mix(slope, haze, 0.25 + 0.4 * (1 - smooth_step(0, 0.25, above)));
    }
    return sky(x, y);
  }

  /// The mirrored picture, distorted by waves. Nearer waves are longer.
  Colour lake(double x, double y) const {
    const double depth = y - kShore;
    const double wave = noise_.octaves(x * aspect_ * 14, 6 / (depth + 0.04), 3) - 0.5;
    const double mirrored = kShore - depth * 1.15 + wave * depth * 0.35;
    const double seen_x = std::clamp(x + wave * depth * 0.05, 0.0, 0.9999);
    const Colour mirror = above_water(seen_x, std::clamp(mirrored, 0.0, kShore - 0.001));
    const double glint = smooth_step(0.16, 0.30, wave) * smooth_step(0.02, 0.2, depth);
    return mix(mix(mirror, {0.10, 0.20, 0.28}, 0.25 + 0.9 * depth), {0.95, 0.92, 0.86},
               0.35 * glint);
  }

  double meadow_at(double x) const {
    return 0.93 - 0.19 * smooth_step(0.25, 0.95, x) - 0.025 * noise_.octaves(x * 6, 9.5, 3);
  }

  Colour meadow(double x, double y) const {
    const double blades = noise_.octaves(x * aspect_ * 130, y * 45, 4);
    const double patches = noise_.octaves(x * aspect_ * 9, y * 14 + 70, 3);
    const double light = 0.55 + 0.7 * blades - 0.3 * smooth_step(0.8, 1.0, y);
    return mix({0.30, 0.42, 0.13}, {0.55, 0.52, 0.20}, smooth_step(0.4, 0.7, patches)) * light;
  }

  /// The house (walls, roof, chimney, door and a lit window) in front of `behind`.
  Colour with_house(double x, double y, Colour behind) const {
    // Coordinates relative to the middle of the wall's foot, in units of the wall's width.
    const double u = (x - 0.80) * aspect_ / 0.22, v = (0.81 - y) / 0.22;
    const double side = std::abs(u);
    if (v < 0 || v > 1.1 || side > 0.62) return behind;
    const Colour wood = Colour{0.46, 0.30, 0.19} * (0.75 + 0.4 * noise_.at(u * 3 + 5, v * 45 + 5));
    if (side < 0.5 && v < 0.48) {
      const double pane_u = std::abs(u - 0.22), pane_v = std::abs(v - 0.27);
      if (pane_u < 0.12 && pane_v < 0.11) {
        const bool bar = pane_u < 0.012 || pane_v < 0.012 || pane_u > 0.105 || pane_v > 0.095;
        return bar ? Colour{0.90, 0.88, 0.82} : Colour{1.00, 0.86, 0.42};
      }
      if (std::abs(u + 0.22) < 0.09 && v < 0.36) return {0.22, 0.12, 0.08};
      return wood;
    }
    if (v >= 0.45 && side < 0.62 - (v - 0.45) * 1.25) {
      const double tiles = noise_.at(u * 30 + 30, v * 50);
      return Colour{0.55, 0.20, 0.15} * (0.75 + 0.4 * tiles);
    }
    if (u > 0.16 && u < 0.28 && v > 0.6 && v < 1.0) return {0.42, 0.36, 0.34};
    return behind;
  }

  double aspect_;
  Random random_;
  Noise noise_;
  Profile far_, near_, wood_;
  double sun_x_, sun_y_;
};

/// Converts a colour component from [0, 1] to an integer from 0 to 255.
std::uint32_t level(double value) {
  return static_cast<std::uint32_t>(std::clamp(value, 0.0, 1.0) * 255 + 0.5);
}

}  // namespace

Picture landscape(int width, int height, std::uint64_t seed) {
  const Scene scene(static_cast<double>(width) / height, seed);
  Random grain(seed + 1);
  Picture picture{width, height, {}};
  picture.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const Colour colour = scene.at((column + 0.5) / width, (row + 0.5) / height);
      const double noise = grain.uniform(-0.015, 0.015);
      picture.pixels.push_back(
          rgb(level(colour.red + noise), level(colour.green + noise), level(colour.blue + noise)));
    }
  }
  return picture;
}

std::vector<float> luminance(const Picture& picture) {
  std::vector<float> values;
  values.reserve(picture.pixels.size());
  for (const std::uint32_t pixel : picture.pixels) {
    const double red = pixel & 0xff, green = pixel >> 8 & 0xff, blue = pixel >> 16 & 0xff;
    values.push_back(static_cast<float>((0.299 * red + 0.587 * green + 0.114 * blue) / 255));
  }
  return values;
}

}  // namespace heddle::workload
