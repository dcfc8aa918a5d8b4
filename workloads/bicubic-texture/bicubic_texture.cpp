#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::bicubic_texture_host {
namespace {

/// Texels per pixel. Floats represent it and the pixels' positions exactly, and no position is on a
/// texel's border.
constexpr float kScale = 3.0F / 16;
/// Rendered pixels per texel, along either side. With kScale, they show three quarters of each side
/// of the texture.
constexpr std::uint32_t kPixelsPerTexel = 4;

/// The size of the rendered picture, not a multiple of the block.
struct Extent {
  std::uint32_t width, height;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {88, 68};
    case Size::small:
      return {324, 240};
    case Size::medium:
      return {868, 652};
    case Size::large:
    case Size::paper:
      return {2404, 1804};
  }
  return {};
}

// Each filter gives the weight of a texel by its distance from the pixel, in texels.
double tent(double distance) { return std::max(0.0, 1 - distance); }
double b_spline(double distance) {
  if (distance < 1) return (4 + distance * distance * (3 * distance - 6)) / 6;
  return distance < 2 ? (2 - distance) * (2 - distance) * (2 - distance) / 6 : 0;
}
double catmull_rom(double distance) {
  if (distance < 1) return 1 + distance * distance * (1.5 * distance - 2.5);
  return distance < 2 ? 2 + distance * (-4 + distance * (2.5 - 0.5 * distance)) : 0;
}
double box(double distance) { return distance < 0.5 ? 1 : 0; }

/// A method of enlarging.
struct Method {
  std::string_view kernel;
  bool linear;  ///< The texture unit filters, with weights in 256ths.
  double (*weight)(double distance);
};

constexpr std::array kMethods{
    Method{"render_nearest", false, box},
    Method{"render_bilinear", true, tent},
    Method{"render_bicubic", false, b_spline},
    Method{"render_fast_bicubic", true, b_spline},
    Method{"render_catmull_rom", false, catmull_rom},
};
/// The index of the method whose result is the picture.
constexpr std::size_t kShown = 4;

class BicubicTexture final : public HostProgram {
 public:
  BicubicTexture(Size size, std::uint64_t seed)
      : extent_(extent_of(size)),
        texture_{extent_.width / kPixelsPerTexel, extent_.height / kPixelsPerTexel},
        view_{.x = static_cast<float>(texture_.width / 2),
              .y = static_cast<float>(texture_.height / 2),
              .scale = kScale} {
    const Picture scene =
        landscape(static_cast<int>(texture_.width), static_cast<int>(texture_.height), seed);
    for (const float value : luminance(scene)) {
      texels_.push_back(static_cast<std::uint8_t>(value * 255 + 0.5F));
    }
  }

  void run(Gpu& device) override {
    TextureDescription description{.width = texture_.width,
                                   .height = texture_.height,
                                   .texel = TextureDescription::Texel::u8,
                                   .read_as_fraction = true};
    const auto bytes = std::as_bytes(std::span(texels_));
    const TextureHandle nearest = device.create_texture(description, bytes);
    description.linear = true;
    const TextureHandle linear = device.create_texture(description, bytes);
    const auto [width, height] = extent_;
    const auto out =
        device.allocate<std::uint32_t>(std::size_t{width} * height, "rendered picture");
    for (std::size_t i = 0; i < kMethods.size(); ++i) {
      device.launch(kMethods[i].kernel,
                    {.grid = {(width + kBlock - 1) / kBlock, (height + kBlock - 1) / kBlock},
                     .block = {kBlock, kBlock}},
                    kMethods[i].linear ? linear : nearest, out, static_cast<int>(width),
                    static_cast<int>(height), view_);
      rendered_[i] = device.download(out);
    }
  }

  /// Computes each method as a sum over texels weighted by distance, in double precision.
  CheckResult check() const override {
    CheckResult check;
    for (std::size_t i = 0; i < kMethods.size(); ++i) {
      check_rendered(check, kMethods[i], rendered_[i]);
    }
    return check;
  }

  std::optional<Picture> picture() const override {
    return Picture{static_cast<int>(extent_.width), static_cast<int>(extent_.height),
                   rendered_[kShown]};
  }

 private:
  struct Sample {
    double level = 0;
    double contrast = 0;  ///< Among the surrounding texels.
  };

  void check_rendered(CheckResult& check, const Method& method,
                      const std::vector<std::uint32_t>& rendered) const {
    std::vector<double> got, want;
    std::vector<std::uint32_t> greys;
    for (std::size_t i = 0; i < rendered.size(); ++i) {
      const Sample sample = sample_at(method, i % extent_.width, i / extent_.width);
      // The linear filter rounds the weight of either direction, and of the far corner, to eight
      // bits: each costs a 512th of the contrast. The weight that the far corner's rounding takes
      // from the others costs as much again.
      const double allowed = 0.501 + (method.linear ? sample.contrast * 4 / 512 : 0);
      const std::uint32_t level = rendered[i] & 0xff;
      got.push_back(level / allowed);
      want.push_back(sample.level / allowed);
      greys.push_back(0xff000000U | level * 0x010101U);
    }
    const std::string name(method.kernel);
    check.close(name + ": level / its bound", got, want,
                {.absolute = 1,
                 .reason = "half a level for rounding, a thousandth for floats, and 4/512 of the "
                           "surrounding contrast if the texture unit filters"});
    check.exact(name + ": grey", rendered, greys);
  }

  Sample sample_at(const Method& method, std::size_t column, std::size_t row) const {
    const auto place = [&](std::size_t pixel, std::uint32_t pixels, double middle) {
      return (static_cast<double>(pixel) + 0.5 - pixels / 2.0) * kScale + middle;
    };
    const double x = place(column, extent_.width, view_.x);
    const double y = place(row, extent_.height, view_.y);
    const int left = static_cast<int>(std::floor(x - 0.5)) - 1;
    const int top = static_cast<int>(std::floor(y - 0.5)) - 1;
    std::array<double, 4> across{}, down{};
    for (int i = 0; i < 4; ++i) {
      across[static_cast<std::size_t>(i)] = method.weight(std::abs(x - (left + i + 0.5)));
      down[static_cast<std::size_t>(i)] = method.weight(std::abs(y - (top + i + 0.5)));
    }
    double sum = 0, least = 255, most = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      const double level = texel(left + static_cast<int>(i % 4), top + static_cast<int>(i / 4));
      sum += across[i % 4] * down[i / 4] * level;
      least = std::min(least, level);
      most = std::max(most, level);
    }
    return {std::clamp(sum, 0.0, 255.0), most - least};
  }

  /// Positions outside the picture take the value of the nearest edge pixel.
  double texel(int column, int row) const {
    const auto x = std::clamp(column, 0, static_cast<int>(texture_.width) - 1);
    const auto y = std::clamp(row, 0, static_cast<int>(texture_.height) - 1);
    return texels_[static_cast<std::size_t>(y) * texture_.width + static_cast<std::size_t>(x)];
  }

  Extent extent_, texture_;
  View view_;
  std::vector<std::uint8_t> texels_;
  std::array<std::vector<std::uint32_t>, kMethods.size()> rendered_;
};

const Registration kRegistration({
    .name = "bicubic-texture",
    .summary = "A picture enlarged by linear and cubic filters on textures",
    .papers = {"storage Table 4.2", "storage Table 4.3"},
    .kernels = {{"render_nearest", {kBlock, kBlock}},
                {"render_bilinear", {kBlock, kBlock}},
                {"render_bicubic", {kBlock, kBlock}},
                {"render_fast_bicubic", {kBlock, kBlock}},
                {"render_catmull_rom", {kBlock, kBlock}}},
    .has_picture = true,
    .make = [](Size size, std::uint64_t seed) -> std::unique_ptr<HostProgram> {
      return std::make_unique<BicubicTexture>(size, seed);
    },
});

}  // namespace
}  // namespace heddle::workload::bicubic_texture_host
