#include <algorithm>
#include <vector>

#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::box_filter_host {
namespace {

constexpr std::uint32_t kBlock = 64;
constexpr int kRadius = 7;
constexpr int kWindow = 2 * kRadius + 1;
/// Two iterations of a box filter are a tent filter, which is close to a Gaussian.
constexpr int kIterations = 2;

struct Extent {
  int width, height;
};

/// Neither side is a multiple of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {130, 83};
    case Size::small:
      return {440, 310};
    case Size::medium:
      return {1150, 870};
    case Size::large:
    case Size::paper:
      return {3010, 2250};
  }
  return {};
}

class BoxFilter final : public HostProgram {
 public:
  BoxFilter(Size size, std::uint64_t seed)
      : extent_(extent_of(size)), image_(landscape(extent_.width, extent_.height, seed).pixels) {}

  void run(Gpu& device) override {
    const auto [width, height] = extent_;
    const auto rows = device.allocate<std::uint32_t>(image_.size(), "filtered rows");
    const auto result = device.allocate<std::uint32_t>(image_.size(), "result");
    result_ = image_;
    for (int i = 0; i < kIterations; ++i) {
      // Kernels cannot write a texture, so the result is copied into the next iteration's texture.
      const TextureHandle texture =
          device.create_texture({.width = static_cast<std::uint32_t>(width),
                                 .height = static_cast<std::uint32_t>(height),
                                 .texel = TextureDescription::Texel::u8,
                                 .channels = 4},
                                std::as_bytes(std::span(result_)));
      device.launch("box_rows", shape_for(height), texture, rows, width, height, kRadius);
      device.launch("box_columns", shape_for(width), rows, result, width, height, kRadius);
      result_ = device.download(result);
    }
  }

  /// Computes each window's sum in integers, as the difference of two prefix sums of the line. The
  /// window is odd, so a mean is at least 1 / (2 * kWindow) away from the middle between two
  /// levels. That is far more than the floats' roundings, so the levels must be exact.
  CheckResult check() const override {
    const auto width = static_cast<std::size_t>(extent_.width);
    const auto height = static_cast<std::size_t>(extent_.height);
    std::vector<std::uint32_t> want = image_;
    for (int i = 0; i < kIterations; ++i) {
      for (std::size_t row = 0; row < height; ++row) filter(want, row * width, 1, width);
      for (std::size_t column = 0; column < width; ++column) filter(want, column, width, height);
    }
    CheckResult check;
    check.exact("pixel", result_, want);
    return check;
  }

  std::optional<Picture> picture() const override {
    return Picture{extent_.width, extent_.height, result_};
  }

 private:
  static LaunchShape shape_for(int lines) {
    return {.grid = {(static_cast<std::uint32_t>(lines) + kBlock - 1) / kBlock}, .block = {kBlock}};
  }

  /// Replaces `count` pixels, which are `stride` apart, by the means of their windows.
  static void filter(std::vector<std::uint32_t>& pixels, std::size_t first, std::size_t stride,
                     std::size_t count) {
    std::vector<std::uint32_t> filtered(count, 0);
    for (std::uint32_t shift = 0; shift < 32; shift += 8) {
      std::vector<std::uint32_t> sums{0};
      for (std::size_t i = 0; i < count + kWindow - 1; ++i) {
        const std::size_t inside = std::clamp<std::size_t>(i, kRadius, kRadius + count - 1);
        const std::uint32_t pixel = pixels[first + (inside - kRadius) * stride];
        sums.push_back(sums.back() + (pixel >> shift & 0xff));
      }
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t sum = sums[i + kWindow] - sums[i];
        filtered[i] |= (2 * sum + kWindow) / (2 * kWindow) << shift;
      }
    }
    for (std::size_t i = 0; i < count; ++i) pixels[first + i * stride] = filtered[i];
  }

  Extent extent_;
  std::vector<std::uint32_t> image_, result_;
};

const Registration kRegistration({
    .name = "box-filter",
    .summary = "A photograph blurred by running means along its rows and columns",
    .papers = {"storage Table 4.2"},
    .kernels = {{"box_rows", {kBlock}}, {"box_columns", {kBlock}}},
    .has_picture = true,
    .make = make_program<BoxFilter>,
});

}  // namespace
}  // namespace heddle::workload::box_filter_host
