#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "../srad/diffusion_step.h"
#include "../srad/ultrasound_phantom.h"
#include "base/colour.h"
#include "kernel.h"
#include "workload/workload.h"

namespace heddle::workload::srad_v2_host {
namespace {

using srad_v2::kTile;

constexpr float kTimeStep = 0.5F;

/// Sides are multiples of the tile, as the kernels require.
struct Extent {
  std::size_t width, height;
  int iterations;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {64, 32, 3};
    case Size::small:
      return {160, 128, 11};
    case Size::medium:
      return {256, 240, 25};
    case Size::large:
    case Size::paper:
      break;
  }
  return {2048, 2048, 2};
}

/// e to the power of (grey level / 255), which is between 1 and e. Computed by products, so that it
/// is the same on every host.
std::array<float, 256> exponentials() {
  constexpr double kStep = 1.0039292680390012;  // e^(1/255)
  std::array<float, 256> values{};
  double value = 1;
  for (float& exponential : values) {
    exponential = static_cast<float>(value);
    value *= kStep;
  }
  return values;
}

class SradV2 final : public HostProgram {
 public:
  SradV2(Size size, std::uint64_t seed)
      : extent_(extent_of(size)),
        levels_(ultrasound_phantom(static_cast<int>(extent_.width),
                                   static_cast<int>(extent_.height), seed)) {}

  void run(Gpu& device) override {
    const std::array<float, 256> exponential = exponentials();
    std::vector<float> extracted;
    for (const float level : levels_) {
      extracted.push_back(exponential.at(static_cast<std::size_t>(level)));
    }
    const std::size_t count = extracted.size();
    const Array<float> image = device.upload(extracted, "image");
    const Array<float> north = device.allocate<float>(count, "differences to the north");
    const Array<float> south = device.allocate<float>(count, "differences to the south");
    const Array<float> west = device.allocate<float>(count, "differences to the west");
    const Array<float> east = device.allocate<float>(count, "differences to the east");
    const Array<float> coefficients = device.allocate<float>(count, "diffusion coefficients");
    const LaunchShape shape{.grid = {static_cast<std::uint32_t>(extent_.width) / kTile,
                                     static_cast<std::uint32_t>(extent_.height) / kTile},
                            .block = {kTile, kTile}};
    const int width = static_cast<int>(extent_.width), height = static_cast<int>(extent_.height);
    frames_ = {extracted};
    for (int i = 0; i < extent_.iterations; ++i) {
      device.launch("srad_coefficients", shape, image, north, south, west, east, coefficients,
                    width, height, speckle_in(frames_.back()));
      device.launch("srad_update", shape, north, south, west, east, coefficients, image, width,
                    height, kTimeStep);
      frames_.push_back(device.download(image));
    }
  }

  /// Checks every iteration on its own: edge-preserving diffusion amplifies roundings, so no useful
  /// bound would hold after many.
  CheckResult check() const override {
    std::vector<float> got;
    std::vector<double> want;
    for (std::size_t i = 0; i + 1 < frames_.size(); ++i) {
      const std::vector<double> next =
          diffused({extent_.width, extent_.height, frames_[i]}, static_cast<double>(kTimeStep),
                   static_cast<double>(speckle_in(frames_[i])));
      got.insert(got.end(), frames_[i + 1].begin(), frames_[i + 1].end());
      want.insert(want.end(), next.begin(), next.end());
    }
    CheckResult check;
    check.close("image after each iteration", got, want, diffusion_bound());
    return check;
  }

  /// The input is on the left, the result on the right.
  std::optional<Picture> picture() const override {
    Picture picture{static_cast<int>(2 * extent_.width), static_cast<int>(extent_.height), {}};
    for (std::size_t row = 0; row < extent_.height; ++row) {
      for (const std::vector<float>* image : {&frames_.front(), &frames_.back()}) {
        for (std::size_t column = 0; column < extent_.width; ++column) {
          const float pixel = (*image)[row * extent_.width + column];
          picture.pixels.push_back(grey(std::log(static_cast<double>(pixel))));
        }
      }
    }
    return picture;
  }

 private:
  /// The squared coefficient of variation in a corner of the image, which represents the whole
  /// image.
  float speckle_in(const std::vector<float>& image) const {
    const std::size_t columns = std::min<std::size_t>(128, extent_.width / 2);
    const std::size_t rows = std::min<std::size_t>(128, extent_.height / 2);
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const double pixel = image[row * extent_.width + column];
        sum += pixel;
        squares += pixel * pixel;
      }
    }
    const double count = static_cast<double>(rows * columns);
    const double mean = sum / count;
    return static_cast<float>((squares / count - mean * mean) / (mean * mean));
  }

  Extent extent_;
  std::vector<float> levels_;
  std::vector<std::vector<float>> frames_;  ///< The image before the iterations and after each.
};

const Registration kRegistration({
    .name = "srad-v2",
    .summary = "Speckle-reducing anisotropic diffusion by tiles in shared memory",
    .papers = {"preexec Table 2"},
    .kernels = {{"srad_coefficients", {kTile, kTile}}, {"srad_update", {kTile, kTile}}},
    .has_picture = true,
    .make = make_program<SradV2>,
});

}  // namespace
}  // namespace heddle::workload::srad_v2_host
