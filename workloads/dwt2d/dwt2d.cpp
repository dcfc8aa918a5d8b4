#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/colour.h"
#include "inverse_transform.h"
#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::dwt2d_host {
namespace {

using ::dwt2d::kChannels;
using ::dwt2d::kColumns;
using ::dwt2d::kRows;
using ::dwt2d::kSplitBlock;

constexpr int kLevels = 3;
/// The number of blocks one below another, if there are enough rows.
constexpr std::uint32_t kBlocksDown = 15;

struct Extent {
  std::uint32_t width, height;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {75, 50};
    case Size::small:
      return {383, 278};
    case Size::medium:
      return {1024, 1024};
    case Size::large:
    case Size::paper:
      break;
  }
  return {2560, 1920};
}

class Dwt2d final : public HostProgram {
 public:
  Dwt2d(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    const Picture picture =
        landscape(static_cast<int>(extent_.width), static_cast<int>(extent_.height), seed);
    for (const std::uint32_t pixel : picture.pixels) {
      for (int channel = 0; channel < kChannels; ++channel) {
        image_.push_back(static_cast<std::uint8_t>(pixel >> 8 * channel));
      }
    }
  }

  void run(Gpu& device) override {
    const std::size_t pixels = std::size_t{extent_.width} * extent_.height;
    const auto image = device.upload(image_, "image");
    std::array<Array<int>, kChannels> planes;
    for (Array<int>& plane : planes) plane = device.allocate<int>(pixels, "plane");
    const auto low = device.allocate<int>(pixels, "low frequencies");
    const auto bands = device.allocate<int>(pixels, "bands");
    device.launch("split_channels",
                  {.grid = {blocks_for(pixels, kSplitBlock)}, .block = {kSplitBlock}}, image,
                  planes[0], planes[1], planes[2], static_cast<int>(pixels));
    bands_.clear();
    for (const Array<int>& plane : planes) {
      transform(device, plane, low, bands);
      bands_.push_back(device.download(bands));
    }
  }

  /// The transform is lossless and invertible: its result is right if and only if the inverse gives
  /// the image.
  CheckResult check() const override {
    CheckResult check;
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      const std::vector<int> undone =
          dwt2d::undo_53(bands_[channel], extent_.width, extent_.height, kLevels);
      std::vector<int> want;
      for (std::size_t i = channel; i < image_.size(); i += kChannels) {
        want.push_back(image_[i] - 128);
      }
      check.exact("image from channel " + std::to_string(channel), undone, want);
    }
    return check;
  }

  /// The bands: coarse ones at the top left, details as differences from grey.
  std::optional<Picture> picture() const override {
    Picture picture{static_cast<int>(extent_.width), static_cast<int>(extent_.height), {}};
    std::uint32_t coarse_width = extent_.width, coarse_height = extent_.height;
    for (int level = 0; level < kLevels; ++level) {
      coarse_width = (coarse_width + 1) / 2;
      coarse_height = (coarse_height + 1) / 2;
    }
    for (std::uint32_t row = 0; row < extent_.height; ++row) {
      for (std::uint32_t column = 0; column < extent_.width; ++column) {
        const bool is_coarse = row < coarse_height && column < coarse_width;
        const auto level = [&](std::size_t channel) {
          const int value = bands_[channel][std::size_t{row} * extent_.width + column];
          return static_cast<std::uint32_t>(std::clamp(128 + value * (is_coarse ? 1 : 4), 0, 255));
        };
        picture.pixels.push_back(rgb(level(0), level(1), level(2)));
      }
    }
    return picture;
  }

 private:
  /// Transforms level by level. The band that is low in both directions is the next level's image:
  /// the kernel writes it to `low`, and `plane` and `low` change places.
  void transform(Gpu& device, Array<int> plane, Array<int> low, const Array<int>& bands) const {
    auto [width, height] = extent_;
    for (int level = 1; level <= kLevels; ++level) {
      const std::uint32_t windows =
          blocks_for(height, static_cast<std::uint32_t>(kRows) * kBlocksDown);
      const std::uint32_t low_width = (width + 1) / 2;
      const bool is_last = level == kLevels;
      device.launch("forward_53",
                    {.grid = {blocks_for(width, kColumns), blocks_for(height, kRows * windows)},
                     .block = {kColumns}},
                    plane, static_cast<int>(width), static_cast<int>(height), is_last ? bands : low,
                    static_cast<int>(is_last ? extent_.width : low_width), bands,
                    static_cast<int>(extent_.width), static_cast<int>(windows));
      std::swap(plane, low);
      width = low_width;
      height = (height + 1) / 2;
    }
  }

  Extent extent_;
  std::vector<std::uint8_t> image_;
  std::vector<std::vector<int>> bands_;  ///< One for each channel.
};

const Registration kRegistration({
    .name = "dwt2d",
    .summary = "A picture's wavelets as in JPEG 2000, three levels of the reversible transform",
    .papers = {"preexec Table 2"},
    .kernels = {{"split_channels", {kSplitBlock}}, {"forward_53", {kColumns}}},
    .has_picture = true,
    .make = make_program<Dwt2d>,
});

}  // namespace
}  // namespace heddle::workload::dwt2d_host
