#pragma once

// The colour of a ray through a volume in double precision, and the bound of a GPU's deviation.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel.h"

namespace heddle::workload::volume_render {

/// Red, green, blue, opacity.
using Colour = std::array<double, 4>;
constexpr std::size_t kOpacity = 3;

/// The volume, and the colours of its densities.
struct Scene {
  int side = 0;
  std::vector<std::uint8_t> texels;  ///< A cube, x fastest; 255 is a density of 1.
  std::vector<Colour> transfer;      ///< For densities from 0 to 1, at the middle of equal parts.
};

/// The composited colour and opacity of a ray.
struct RayColour {
  Colour colour{};
  Colour error{};  ///< The bound of a GPU's deviation.
};

/// The colour of the pixel at `column` and `row`.
RayColour colour_along_ray(const Scene& scene, const ::volume_render::Camera& camera,
                           const ::volume_render::March& march, std::size_t column,
                           std::size_t row);

}  // namespace heddle::workload::volume_render
