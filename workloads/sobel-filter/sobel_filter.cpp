#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::sobel_filter_host {
namespace {

using Levels = std::vector<std::uint8_t>;

constexpr float kScale = 0.5F;

struct Extent {
  std::uint32_t width, height;
};

/// The width is a multiple of four; the sides are not multiples of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {140, 83};
    case Size::small:
      return {596, 430};
    case Size::medium:
      return {1556, 1171};
    case Size::large:
    case Size::paper:
      return {4004, 3002};
  }
  return {};
}

class SobelFilter final : public HostProgram {
 public:
  SobelFilter(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    const auto [width, height] = extent_;
    for (const float value :
         luminance(landscape(static_cast<int>(width), static_cast<int>(height), seed))) {
      image_.push_back(static_cast<std::uint8_t>(value * 255 + 0.5F));
    }
  }

  void run(Gpu& device) override {
    const auto [width, height] = extent_;
    const TextureHandle texture = device.create_texture(
        {.width = width, .height = height, .texel = TextureDescription::Texel::u8},
        std::as_bytes(std::span(image_)));
    const auto by_texture = device.allocate<std::uint8_t>(image_.size(), "edges by texture");
    const auto by_shared = device.allocate<std::uint8_t>(image_.size(), "edges by shared memory");
    device.launch("sobel_texture", {.grid = {height}, .block = {kRowBlock}}, texture, by_texture,
                  static_cast<int>(width), kScale);
    device.launch("sobel_shared",
                  {.grid = {(width + kTileX - 1) / kTileX, (height + kBlockY - 1) / kBlockY},
                   .block = {kBlockX, kBlockY}},
                  texture, by_shared, static_cast<int>(width), static_cast<int>(height), kScale);
    by_texture_ = device.download(by_texture);
    by_shared_ = device.download(by_shared);
  }

  /// Computes in integers. The operator is a difference in one direction and a smoothing in the
  /// other: first along each row, then down the columns.
  CheckResult check() const override {
    const auto width = static_cast<int>(extent_.width), height = static_cast<int>(extent_.height);
    std::vector<int> differences, smoothed;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        differences.push_back(level(x + 1, y) - level(x - 1, y));
        smoothed.push_back(level(x - 1, y) + 2 * level(x, y) + level(x + 1, y));
      }
    }
    Levels want;
    for (int y = 0; y < height; ++y) {
      const int above = std::max(y - 1, 0), below = std::min(y + 1, height - 1);
      const auto at = [&](const std::vector<int>& values, int x, int row) {
        return values[static_cast<std::size_t>(row * width + x)];
      };
      for (int x = 0; x < width; ++x) {
        const int across =
            at(differences, x, above) + 2 * at(differences, x, y) + at(differences, x, below);
        const int down = at(smoothed, x, below) - at(smoothed, x, above);
        want.push_back(
            static_cast<std::uint8_t>(std::min((std::abs(across) + std::abs(down)) / 2, 255)));
      }
    }
    CheckResult check;
    check.exact("pixel by texture", by_texture_, want);
    check.exact("pixel by shared memory", by_shared_, want);
    return check;
  }

  std::optional<Picture> picture() const override {
    Picture picture{static_cast<int>(extent_.width), static_cast<int>(extent_.height), {}};
    for (const std::uint8_t value : by_shared_) picture.pixels.push_back(grey(value / 255.0));
    return picture;
  }

 private:
  /// Positions outside the picture take the value of the nearest edge pixel.
  int level(int x, int y) const {
    const std::size_t inside =
        static_cast<std::size_t>(std::clamp(x, 0, static_cast<int>(extent_.width) - 1));
    return image_[static_cast<std::size_t>(y) * extent_.width + inside];
  }

  Extent extent_;
  Levels image_, by_texture_, by_shared_;
};

const Registration kRegistration({
    .name = "sobel-filter",
    .summary = "Edges of a photograph by the Sobel operator, by texture and by tiles",
    .papers = {"storage Table 4.2", "preexec Table 2"},
    .kernels = {{"sobel_texture", {kRowBlock}}, {"sobel_shared", {kBlockX, kBlockY}}},
    .has_picture = true,
    .make = make_program<SobelFilter>,
});

}  // namespace
}  // namespace heddle::workload::sobel_filter_host
