#include <algorithm>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::convolution_separable_host {
namespace {

struct Extent {
  int width, height;
};

/// Sizes that are not multiples of the tile in either direction, except the paper's.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {140, 67};
    case Size::small:
      return {600, 450};
    case Size::medium:
      return {1500, 1125};
    case Size::large:
      return {4000, 3000};
    case Size::paper:
      return {512, 512};  // simt Table 3
  }
  return {};
}

/// A Gaussian of deviation 3, truncated and normalised to the sum 1.
std::vector<float> gaussian() {
  constexpr double kNeighbour = 0.94595946890676541;  // exp(-1 / (2 * 3 * 3))
  std::vector<double> exact;
  double sum = 0;
  for (int distance = -kRadius; distance <= kRadius; ++distance) {
    double weight = 1;
    for (int i = 0; i < distance * distance; ++i) weight *= kNeighbour;
    exact.push_back(weight);
    sum += weight;
  }
  std::vector<float> weights;
  for (const double weight : exact) weights.push_back(static_cast<float>(weight / sum));
  return weights;
}

class ConvolutionSeparable final : public HostProgram {
 public:
  ConvolutionSeparable(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    image_ = luminance(landscape(extent_.width, extent_.height, seed));
  }

  void run(Gpu& device) override {
    const Array<float> image = device.upload(image_, "image");
    const Array<float> rows = device.allocate<float>(image_.size(), "convolved rows");
    const Array<float> result = device.allocate<float>(image_.size(), "result");
    device.write_symbol("weights", weights_);
    const auto [width, height] = extent_;
    device.launch("convolve_rows",
                  {.grid = {blocks(width, kRowBlockX * kRowResults), blocks(height, kRowBlockY)},
                   .block = {kRowBlockX, kRowBlockY}},
                  image, rows, width, height);
    device.launch(
        "convolve_columns",
        {.grid = {blocks(width, kColumnBlockX), blocks(height, kColumnBlockY * kColumnResults)},
         .block = {kColumnBlockX, kColumnBlockY}},
        rows, result, width, height);
    result_ = device.download(result);
  }

  /// Spreads every pixel to those around it, in double precision.
  CheckResult check() const override {
    const auto width = static_cast<std::size_t>(extent_.width);
    const auto height = static_cast<std::size_t>(extent_.height);
    std::vector<double> rows(image_.size()), want(image_.size());
    for (std::size_t row = 0; row < height; ++row) spread_along(row * width, width, rows);
    for (std::size_t to = 0; to < height; ++to) {
      const std::size_t begin = to < kRadius ? 0 : to - kRadius;
      for (std::size_t from = begin; from < std::min(height, to + kRadius + 1); ++from) {
        const double weight = weights_[from + kRadius - to];
        for (std::size_t i = 0; i < width; ++i) {
          want[to * width + i] += weight * rows[from * width + i];
        }
      }
    }
    CheckResult check;
    check.close("pixel", result_, want,
                {.relative = 2 * kTaps * 0x1p-24,
                 .reason = "two sums of 17 positive terms: 34 roundings of 2^-24"});
    return check;
  }

  std::optional<Picture> picture() const override {
    Picture picture{extent_.width, extent_.height, {}};
    for (const float value : result_) picture.pixels.push_back(grey(value));
    return picture;
  }

 private:
  static std::uint32_t blocks(int length, int block) {
    return static_cast<std::uint32_t>((length + block - 1) / block);
  }

  /// Spreads every pixel of a row to those around it.
  void spread_along(std::size_t begin, std::size_t width, std::vector<double>& rows) const {
    for (std::size_t tap = 0; tap < kTaps; ++tap) {
      const double weight = weights_[kTaps - 1 - tap];
      const std::size_t from = tap < kRadius ? kRadius - tap : 0;
      const std::size_t to = std::min(width, width + kRadius - tap);
      for (std::size_t i = from; i < to; ++i) {
        rows[begin + i + tap - kRadius] += weight * static_cast<double>(image_[begin + i]);
      }
    }
  }

  Extent extent_;
  std::vector<float> weights_ = gaussian();
  std::vector<float> image_, result_;
};

const Registration kRegistration({
    .name = "convolution-separable",
    .summary = "A photograph blurred by a gaussian of 17 taps, rows first, then columns",
    .papers = {"simt Table 3"},
    .kernels = {{"convolve_rows", {kRowBlockX, kRowBlockY}},
                {"convolve_columns", {kColumnBlockX, kColumnBlockY}}},
    .has_paper_size = true,
    .has_picture = true,
    .make = make_program<ConvolutionSeparable>,
});

}  // namespace
}  // namespace heddle::workload::convolution_separable_host
