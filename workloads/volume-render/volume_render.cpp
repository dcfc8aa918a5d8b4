#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel.h"
#include "ray_march.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::volume_render_host {
namespace {

using ::volume_render::Camera;
using volume_render::Colour;
using ::volume_render::kBlock;
using ::volume_render::kBorder;
using ::volume_render::kSlicesAcross;
using ::volume_render::March;
using ::volume_render::Point;
using volume_render::RayColour;
using volume_render::Scene;

/// The colours and opacities, from the least dense to the densest.
constexpr std::array<Colour, 8> kTransfer{{{0.0, 0.1, 0.4, 0.0},
                                           {0.0, 0.2, 0.7, 0.03},
                                           {0.0, 0.5, 0.9, 0.1},
                                           {0.1, 0.7, 0.6, 0.2},
                                           {0.5, 0.8, 0.3, 0.35},
                                           {0.9, 0.7, 0.1, 0.55},
                                           {1.0, 0.4, 0.1, 0.8},
                                           {1.0, 0.9, 0.8, 1.0}}};

struct Extent {
  int width, height;
  March march;
};

/// Sizes that are not multiples of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {28, 20, {.step = 0.04F, .opacity = 0.3F, .side = 16}};
    case Size::small:
      return {60, 44, {.step = 0.01F, .opacity = 0.08F, .side = 32}};
    case Size::medium:
      return {156, 132, {.step = 0.01F, .opacity = 0.08F, .side = 64}};
    case Size::large:
    case Size::paper:
      break;
  }
  return {500, 410, {.step = 0.01F, .opacity = 0.08F, .side = 64}};
}

/// The electrons of a molecule: a cloud around each atom. All clouds lie inside the box.
std::vector<std::uint8_t> random_molecule(int side, Random& random) {
  struct Atom {
    double x, y, z, radius;
  };
  std::vector<Atom> atoms;
  while (atoms.size() < 16) {
    const double x = random.uniform(-0.7, 0.7);
    const double y = random.uniform(-0.7, 0.7);
    const double z = random.uniform(-0.7, 0.7);
    const double radius = random.uniform(0.25, 0.5);
    if (std::sqrt(x * x + y * y + z * z) + radius < 0.95) atoms.push_back({x, y, z, radius});
  }
  std::vector<std::uint8_t> texels;
  const auto place = [&](int i) { return (2 * i + 1.0) / side - 1; };
  for (int k = 0; k < side; ++k) {
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        double density = 0;
        for (const Atom& atom : atoms) {
          const double x = place(i) - atom.x, y = place(j) - atom.y, z = place(k) - atom.z;
          const double near =
              std::max(0.0, 1 - (x * x + y * y + z * z) / (atom.radius * atom.radius));
          density += 0.8 * near * near;
        }
        texels.push_back(static_cast<std::uint8_t>(std::min(density, 1.0) * 255));
      }
    }
  }
  return texels;
}

/// Rotates by the angle whose half has this tangent, so that the picture does not depend on a
/// library function.
void turn(double half_tangent, double& a, double& b) {
  const double cosine = (1 - half_tangent * half_tangent) / (1 + half_tangent * half_tangent);
  const double sine = 2 * half_tangent / (1 + half_tangent * half_tangent);
  const double before = a;
  a = cosine * before - sine * b;
  b = sine * before + cosine * b;
}

/// A camera at distance 4 from the box's middle, whose view covers the whole box.
Camera random_camera(const Extent& extent, Random& random) {
  const double around = random.uniform(-0.9, 0.9);
  const double up = random.uniform(-0.3, 0.3);
  const auto turned = [&](double x, double y, double z) {
    turn(up, y, z);
    turn(around, x, z);
    return Point{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
  };
  const double pixel = 0.44 / std::min(extent.width, extent.height);
  return {.eye = turned(0, 0, -4),
          .corner = turned((1 - extent.width) * pixel / 2, (1 - extent.height) * pixel / 2, 1),
          .right = turned(pixel, 0, 0),
          .down = turned(0, pixel, 0)};
}

/// The volume's slices side by side in rows of texels, in the kernel's layout.
struct Atlas {
  std::uint32_t width, height;
  std::vector<std::uint8_t> texels;
};

Atlas lay_out(const Scene& scene) {
  const int pitch = scene.side + 2 * kBorder;
  const int width = kSlicesAcross * pitch;
  const int height = (scene.side + kSlicesAcross - 1) / kSlicesAcross * pitch;
  std::vector<std::uint8_t> texels;
  const auto inside = [&](int i) { return std::clamp(i - kBorder, 0, scene.side - 1); };
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const int slice = std::min(row / pitch * kSlicesAcross + column / pitch, scene.side - 1);
      const int line = slice * scene.side + inside(row % pitch);
      texels.push_back(
          scene.texels[static_cast<std::size_t>(line * scene.side + inside(column % pitch))]);
    }
  }
  return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), texels};
}

class VolumeRender final : public HostProgram {
 public:
  VolumeRender(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    scene_ = {extent_.march.side,
              random_molecule(extent_.march.side, random),
              {kTransfer.begin(), kTransfer.end()}};
    camera_ = random_camera(extent_, random);
  }

  void run(Gpu& device) override {
    const Atlas atlas = lay_out(scene_);
    const TextureHandle volume = device.create_texture({.width = atlas.width,
                                                        .height = atlas.height,
                                                        .texel = TextureDescription::Texel::u8,
                                                        .linear = true,
                                                        .read_as_fraction = true},
                                                       std::as_bytes(std::span(atlas.texels)));
    std::vector<float> colours;
    for (const Colour& colour : scene_.transfer) {
      for (const double channel : colour) colours.push_back(static_cast<float>(channel));
    }
    const TextureHandle transfer =
        device.create_texture({.width = static_cast<std::uint32_t>(scene_.transfer.size()),
                               .height = 1,
                               .channels = 4,
                               .linear = true,
                               .normalized_coordinates = true},
                              std::as_bytes(std::span(colours)));
    device.write_symbol("camera", camera_);

    const auto width = static_cast<std::size_t>(extent_.width);
    const auto height = static_cast<std::size_t>(extent_.height);
    const auto rendered = device.allocate<std::uint32_t>(width * height, "rendered picture");
    device.launch("render_volume",
                  {.grid = {blocks_for(width, kBlock), blocks_for(height, kBlock)},
                   .block = {kBlock, kBlock}},
                  volume, transfer, rendered, extent_.width, extent_.height, extent_.march);
    rendered_ = device.download(rendered);
  }

  CheckResult check() const override {
    std::vector<double> got, want;
    const auto width = static_cast<std::size_t>(extent_.width);
    for (std::size_t pixel = 0; pixel < rendered_.size(); ++pixel) {
      const RayColour seen = volume_render::colour_along_ray(scene_, camera_, extent_.march,
                                                             pixel % width, pixel / width);
      for (std::size_t channel = 0; channel < seen.colour.size(); ++channel) {
        const double allowed = 0.5 + 255 * seen.error.at(channel);
        got.push_back((rendered_[pixel] >> (8 * channel) & 255) / allowed);
        want.push_back(255 * seen.colour.at(channel) / allowed);
      }
    }
    CheckResult check;
    check.close("level / its bound", got, want,
                {.absolute = 1,
                 .reason = "half a level for rounding, and the texture unit's rounded weights, "
                           "added up along the ray"});
    return check;
  }

  /// The clouds on black.
  std::optional<Picture> picture() const override {
    Picture picture{extent_.width, extent_.height, rendered_};
    for (std::uint32_t& pixel : picture.pixels) pixel |= 0xff000000U;
    return picture;
  }

 private:
  Extent extent_;
  Scene scene_;
  Camera camera_{};
  std::vector<std::uint32_t> rendered_;
};

const Registration kRegistration({
    .name = "volume-render",
    .summary = "Rays cast through a cloud of densities, which a transfer function colours",
    .papers = {"storage Table 4.2"},
    .kernels = {{"render_volume", {kBlock, kBlock}}},
    .has_picture = true,
    .make = make_program<VolumeRender>,
});

}  // namespace
}  // namespace heddle::workload::volume_render_host
