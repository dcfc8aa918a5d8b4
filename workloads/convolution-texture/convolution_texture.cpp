#include <algorithm>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::convolution_texture_host {
namespace {

struct Extent {
  std::uint32_t width, height;
};

/// Sizes that are not multiples of the block in either direction.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {123, 79};
    case Size::small:
      return {600, 425};
    case Size::medium:
      return {1500, 1130};
    case Size::large:
    case Size::paper:
      return {2805, 2105};
  }
  return {};
}

/// An asymmetric bell with the sum 1. A reversed filter would give another result.
std::vector<float> bell() {
  std::vector<double> exact;
  double sum = 0;
  for (int tap = 0; tap < kTaps; ++tap) {
    const double off = (tap - kRadius) / (kRadius + 1.0);
    exact.push_back((1 - off * off) * (1 - off * off) * (1 + 0.25 * off));
    sum += exact.back();
  }
  std::vector<float> weights;
  for (const double weight : exact) weights.push_back(static_cast<float>(weight / sum));
  return weights;
}

class ConvolutionTexture final : public HostProgram {
 public:
  ConvolutionTexture(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    image_ = luminance(
        landscape(static_cast<int>(extent_.width), static_cast<int>(extent_.height), seed));
  }

  void run(Gpu& device) override {
    const Array<float> out = device.allocate<float>(image_.size(), "out");
    device.write_symbol("weights", weights_);
    convolve(device, "convolve_rows", image_, out);
    // Kernels cannot write a texture, so the first pass's result is copied into a second texture.
    convolve(device, "convolve_columns", device.download(out), out);
    result_ = device.download(out);
  }

  /// Convolves the image, with its edges repeated around it, in double precision.
  CheckResult check() const override {
    const std::size_t width = extent_.width, height = extent_.height;
    std::vector<double> rows(image_.size()), want(image_.size());
    std::vector<double> padded(width + 2 * kRadius);
    for (std::size_t begin = 0; begin < image_.size(); begin += width) {
      std::fill_n(padded.begin(), kRadius, image_[begin]);
      std::copy_n(&image_[begin], width, &padded[kRadius]);
      std::fill_n(&padded[kRadius + width], kRadius, image_[begin + width - 1]);
      for (std::size_t tap = 0; tap < kTaps; ++tap) {
        add_product(&rows[begin], &padded[tap], weights_[tap], width);
      }
    }
    for (std::size_t row = 0; row < height; ++row) {
      for (std::size_t tap = 0; tap < kTaps; ++tap) {
        const std::size_t below = std::clamp<std::size_t>(row + tap, kRadius, kRadius + height - 1);
        add_product(&want[row * width], &rows[(below - kRadius) * width], weights_[tap], width);
      }
    }
    CheckResult check;
    check.close("pixel", result_, want,
                {.relative = 2 * kTaps * 0x1p-24,
                 .reason = "two sums of 17 positive terms: 34 roundings of 2^-24"});
    return check;
  }

  std::optional<Picture> picture() const override {
    Picture picture{static_cast<int>(extent_.width), static_cast<int>(extent_.height), {}};
    for (const float value : result_) picture.pixels.push_back(grey(value));
    return picture;
  }

 private:
  /// Copies `from` into a texture and launches the kernel on it.
  void convolve(Gpu& device, std::string_view kernel, const std::vector<float>& from,
                const Array<float>& out) const {
    const auto [width, height] = extent_;
    const TextureHandle texture =
        device.create_texture({.width = width, .height = height}, std::as_bytes(std::span(from)));
    device.launch(kernel,
                  {.grid = {(width + kBlockX - 1) / kBlockX, (height + kBlockY - 1) / kBlockY},
                   .block = {kBlockX, kBlockY}},
                  texture, out, static_cast<int>(width), static_cast<int>(height));
  }

  static void add_product(double* to, const double* from, float weight, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] += static_cast<double>(weight) * from[i];
  }

  Extent extent_;
  std::vector<float> weights_ = bell();
  std::vector<float> image_, result_;
};

/// The paper's table has 3068 registers per block, which is 16 per thread. But according to the
/// paper's Section 3.1 seven blocks leave 512 of an SM's 32768 registers, which is 24 per thread.
const PaperResources kPaperResources{
    .source = "warpman Table 2", .registers_per_thread = 24, .blocks_per_sm = 7};

const Registration kRegistration({
    .name = "convolution-texture",
    .summary = "A photograph blurred by a filter of 17 x 17 taps, read through a texture",
    .papers = {"warpman Table 2", "simt Table 7"},
    .kernels = {{"convolve_rows", {kBlockX, kBlockY}, kPaperResources},
                {"convolve_columns", {kBlockX, kBlockY}, kPaperResources}},
    .has_picture = true,
    .make = make_program<ConvolutionTexture>,
});

}  // namespace
}  // namespace heddle::workload::convolution_texture_host
