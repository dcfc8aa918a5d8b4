#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "srad_reference.h"
#include "ultrasound_phantom.h"
#include "workload/workload.h"

namespace heddle::workload::srad_host {
namespace {

constexpr float kTimeStep = 0.5f;

struct Extent {
  int width, height, iterations;
};

/// Sizes that are not multiples of the block. `large` has the extent of the image of Rodinia's
/// program.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {61, 37, 3};
    case Size::small:
      return {163, 121, 9};
    case Size::medium:
      return {251, 229, 20};
    case Size::large:
    case Size::paper:
      return {458, 502, 50};
  }
  return {};
}

class Srad final : public HostProgram {
 public:
  Srad(Size size, std::uint64_t seed)
      : extent_(extent_of(size)),
        levels_(ultrasound_phantom(extent_.width, extent_.height, seed)) {}

  void run(Gpu& device) override {
    const auto [width, height, iterations] = extent_;
    const std::size_t count = levels_.size();
    const Array<float> levels = device.upload(levels_, "grey levels");
    const Array<float> image = device.allocate<float>(count, "image");
    const Array<float> north = device.allocate<float>(count, "differences to the north");
    const Array<float> south = device.allocate<float>(count, "differences to the south");
    const Array<float> west = device.allocate<float>(count, "differences to the west");
    const Array<float> east = device.allocate<float>(count, "differences to the east");
    const Array<float> coefficients = device.allocate<float>(count, "diffusion coefficients");
    Sums sums{{device.allocate<float>(blocks(count), "sums"),
               device.allocate<float>(blocks(count), "sums of squares")},
              {device.allocate<float>(blocks(blocks(count)), "sums of sums"),
               device.allocate<float>(blocks(blocks(count)), "sums of sums of squares")}};

    const LaunchShape shape = shape_for(count);
    device.launch("extract", shape, levels, image, static_cast<int>(count));
    // Every image is stored, because the check follows one iteration at a time.
    frames_ = {device.download(image)};
    statistics_.clear();
    for (int i = 0; i < iterations; ++i) {
      statistics_.push_back(statistics(device, image, sums));
      device.launch("srad_coefficients", shape, image, north, south, west, east, coefficients,
                    width, height, statistics_.back().speckle);
      device.launch("srad_update", shape, north, south, west, east, coefficients, image, width,
                    height, kTimeStep);
      frames_.push_back(device.download(image));
    }
    device.launch("compress", shape, image, levels, static_cast<int>(count));
    result_ = device.download(levels);
  }

  CheckResult check() const override {
    CheckResult check;
    check_srad({.width = static_cast<std::size_t>(extent_.width),
                .height = static_cast<std::size_t>(extent_.height),
                .time_step = kTimeStep,
                .levels = levels_,
                .frames = frames_,
                .statistics = statistics_,
                .result = result_},
               check);
    return check;
  }

  /// The input is on the left, the result on the right.
  std::optional<Picture> picture() const override {
    constexpr int kGap = 4;
    Picture picture{2 * extent_.width + kGap, extent_.height, {}};
    const auto width = static_cast<std::size_t>(extent_.width);
    for (std::size_t begin = 0; begin < levels_.size(); begin += width) {
      const auto add_row = [&](const std::vector<float>& levels) {
        for (std::size_t i = 0; i < width; ++i) {
          picture.pixels.push_back(grey(static_cast<double>(levels[begin + i]) / 255));
        }
      };
      add_row(levels_);
      picture.pixels.insert(picture.pixels.end(), kGap, rgb(255, 255, 255));
      add_row(result_);
    }
    return picture;
  }

 private:
  struct Sums {
    std::pair<Array<float>, Array<float>> first, second;
  };

  static std::uint32_t blocks(std::size_t count) {
    return static_cast<std::uint32_t>((count + kBlock - 1) / kBlock);
  }
  static LaunchShape shape_for(std::size_t count) {
    return {.grid = {blocks(count)}, .block = {kBlock}};
  }

  /// Sums the pixels and their squares on the device, in as many launches as needed.
  static SradStatistics statistics(Gpu& device, const Array<float>& image, Sums sums) {
    const std::size_t pixels = image.count;
    auto [from, to] = sums;
    device.launch("sum_pixels", shape_for(pixels), image, from.first, from.second,
                  static_cast<int>(pixels));
    std::size_t count = blocks(pixels);
    do {
      device.launch("sum_partials", shape_for(count), from.first, from.second, to.first, to.second,
                    static_cast<int>(count));
      count = blocks(count);
      std::swap(from, to);
    } while (count > 1);
    const float sum = device.download_one(from.first), squares = device.download_one(from.second);
    // Double precision, because the variance is a small difference of two large numbers.
    const double mean = static_cast<double>(sum) / static_cast<double>(pixels);
    const double variance =
        static_cast<double>(squares) / static_cast<double>(pixels) - mean * mean;
    return {sum, squares, static_cast<float>(variance / (mean * mean))};
  }

  Extent extent_;
  std::vector<float> levels_, result_;
  std::vector<std::vector<float>> frames_;
  std::vector<SradStatistics> statistics_;
};

const PaperResources kPaperResources{.source = "warpman Table 2",
                                     .registers_per_thread = 5,
                                     .shared_bytes_per_block = 4096,
                                     .blocks_per_sm = 3};

const Registration kRegistration({
    .name = "srad",
    .summary = "Speckle-reducing anisotropic diffusion of an ultrasound image",
    .papers = {"warpman Table 2"},
    .kernels = {{"extract", {kBlock}},
                {"sum_pixels", {kBlock}, kPaperResources},
                {"sum_partials", {kBlock}, kPaperResources},
                {"srad_coefficients", {kBlock}},
                {"srad_update", {kBlock}},
                {"compress", {kBlock}}},
    .has_picture = true,
    .make = make_program<Srad>,
});

}  // namespace
}  // namespace heddle::workload::srad_host
