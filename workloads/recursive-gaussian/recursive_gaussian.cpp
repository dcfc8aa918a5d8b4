#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::recursive_gaussian_host {
namespace {

using Pixels = std::vector<std::uint32_t>;

constexpr double kDeviation = 5;
/// Deriche's exponent for a bell of that deviation.
constexpr double kAlpha = 1.695 / kDeviation;
/// The sum of all weights beyond this distance is less than 10^-4 of a level.
constexpr int kReach = 54;
constexpr std::size_t kChannels = 4;

struct Extent {
  int width, height;
};

/// Sizes that are not multiples of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {107, 73};
    case Size::small:
      return {370, 270};
    case Size::medium:
      return {1050, 790};
    case Size::large:
    case Size::paper:
      return {2710, 2030};
  }
  return {};
}

/// The common factor of the weights, which makes their sum 1.
double scale() {
  const double decay = std::exp(-kAlpha);
  return (1 - decay) * (1 - decay) / (1 + 2 * kAlpha * decay - decay * decay);
}

RecursiveFilter recursive_filter() {
  const double decay = std::exp(-kAlpha);
  const double feedback = -2 * decay, second_feedback = decay * decay;
  const double before = scale() * (kAlpha - 1) * decay, after = scale() * (kAlpha + 1) * decay;
  const double second_after = -scale() * second_feedback;
  const double gain = 1 / (1 + feedback + second_feedback);
  return {.this_one = static_cast<float>(scale()),
          .before = static_cast<float>(before),
          .after = static_cast<float>(after),
          .second_after = static_cast<float>(second_after),
          .feedback = static_cast<float>(feedback),
          .second_feedback = static_cast<float>(second_feedback),
          .settled_down = static_cast<float>((scale() + before) * gain),
          .settled_up = static_cast<float>((after + second_after) * gain)};
}

class RecursiveGaussian final : public HostProgram {
 public:
  RecursiveGaussian(Size size, std::uint64_t seed)
      : extent_(extent_of(size)), image_(landscape(extent_.width, extent_.height, seed).pixels) {}

  void run(Gpu& device) override {
    const auto image = device.upload(image_, "image");
    const auto filtered = device.allocate<std::uint32_t>(image_.size(), "filtered columns");
    const auto turned = device.allocate<std::uint32_t>(image_.size(), "transposed");
    filter_columns(device, image, filtered, turned, extent_);
    turned_ = device.download(turned);
    filter_columns(device, turned, filtered, image, {extent_.height, extent_.width});
    result_ = device.download(image);
  }

  /// Checks each pass on its own, from its input on the device: the sum of all pixels of a column
  /// with the weights that the recursion implies, in double precision.
  CheckResult check() const override {
    // A rounding error propagates through the poles, amplified by at most 1 / (1 - exp(-alpha))^2 =
    // 12. Four roundings of 2^-24 in numbers below 512 in either direction, and as much for the
    // rounded coefficients, are below 0.005.
    const Bound bound{.absolute = 1.005,
                      .reason =
                          "the ways down and up round to whole levels, by a half each; floats and "
                          "the truncated sum add less than 0.005"};
    CheckResult check;
    check.close("level after the columns", levels_of(turned_),
                convolved(image_, extent_.width, extent_.height), bound);
    check.close("level", levels_of(result_), convolved(turned_, extent_.height, extent_.width),
                bound);
    return check;
  }

  std::optional<Picture> picture() const override {
    return Picture{extent_.width, extent_.height, result_};
  }

 private:
  /// Filters the columns of `from` into `filtered`, and writes the transposed result to `to`.
  static void filter_columns(Gpu& device, const Array<std::uint32_t>& from,
                             const Array<std::uint32_t>& filtered, const Array<std::uint32_t>& to,
                             const Extent& extent) {
    const auto [width, height] = extent;
    device.launch("gaussian_columns", {.grid = {blocks(width, kBlock)}, .block = {kBlock}}, from,
                  filtered, width, height, recursive_filter());
    device.launch("transpose",
                  {.grid = {blocks(width, kTile), blocks(height, kTile)}, .block = {kTile, kTile}},
                  filtered, to, width, height);
  }

  static std::uint32_t blocks(int length, int block) {
    return static_cast<std::uint32_t>((length + block - 1) / block);
  }

  static std::vector<double> levels_of(const Pixels& pixels) {
    std::vector<double> levels;
    levels.reserve(kChannels * pixels.size());
    for (const std::uint32_t pixel : pixels) {
      for (std::uint32_t shift = 0; shift < 32; shift += 8) levels.push_back(pixel >> shift & 0xff);
    }
    return levels;
  }

  /// The columns convolved with Deriche's bell, as rows.
  static std::vector<double> convolved(const Pixels& pixels, int width, int height) {
    const std::vector<double> levels = levels_of(pixels);
    const std::size_t row_levels = kChannels * static_cast<std::size_t>(width);
    std::vector<double> result(levels.size()), sums(row_levels);
    for (int row = 0; row < height; ++row) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (int off = -kReach; off <= kReach; ++off) {
        const double distance = kAlpha * std::abs(off);
        const double weight = scale() * (distance + 1) * std::exp(-distance);
        const auto from = static_cast<std::size_t>(std::clamp(row + off, 0, height - 1));
        const double* levels_there = &levels[from * row_levels];
        for (std::size_t i = 0; i < row_levels; ++i) sums[i] += weight * levels_there[i];
      }
      for (std::size_t i = 0; i < row_levels; ++i) {
        const std::size_t pixel =
            i / kChannels * static_cast<std::size_t>(height) + static_cast<std::size_t>(row);
        result[pixel * kChannels + i % kChannels] = sums[i];
      }
    }
    return result;
  }

  Extent extent_;
  Pixels image_, turned_, result_;
};

const Registration kRegistration({
    .name = "recursive-gaussian",
    .summary = "A photograph blurred by a recursive filter along columns, transposed between",
    .papers = {"storage Table 4.2", "storage Table 4.3"},
    .kernels = {{"gaussian_columns", {kBlock}}, {"transpose", {kTile, kTile}}},
    .has_picture = true,
    .make = make_program<RecursiveGaussian>,
});

}  // namespace
}  // namespace heddle::workload::recursive_gaussian_host
