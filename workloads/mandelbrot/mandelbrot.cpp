#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/colour.h"
#include "escape_range.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::mandelbrot_host {
namespace {

using ::mandelbrot::Colours;
using ::mandelbrot::kTile;
using ::mandelbrot::Place;
using ::mandelbrot::View;

/// The number of blocks: one for each multiprocessor of a GTX 280, two for each of a GTX 480. It
/// does not depend on the GPU, so that the work is the same on all GPUs.
constexpr std::uint32_t kWorkers = 30;

/// The first place is for all pixels, the others for pixels that differ from their neighbours.
constexpr std::array kPlaces{Place{0.5F, 0.5F}, Place{0.25F, 0.875F}, Place{0.75F, 0.125F},
                             Place{0.125F, 0.375F}};

struct Extent {
  int width, height;
  int most_iterations;
  std::size_t samples;

  std::size_t pixels() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
};

/// Sizes that are not multiples of the tile.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {40, 28, 64, 2};
    case Size::small:
      return {152, 120, 256, 2};
    case Size::medium:
      return {296, 216, 512, 3};
    case Size::large:
    case Size::paper:
      break;
  }
  return {840, 616, 512, 4};
}

/// The whole set, slightly off the middle.
View random_view(const Extent& extent, Random& random) {
  const double width = random.uniform(2.6, 3.0);
  const double x = random.uniform(-0.75, -0.6);
  const double y = random.uniform(-0.1, 0.1);
  const double step = width / extent.width;
  return {.left = static_cast<float>(x - width / 2),
          .top = static_cast<float>(y - step * extent.height / 2),
          .step = static_cast<float>(step),
          .width = extent.width,
          .height = extent.height,
          .most_iterations = extent.most_iterations};
}

std::uint32_t colour_of(int iterations, const View& view, const Colours& colours) {
  if (iterations == view.most_iterations) return rgb(0, 0, 0);
  const auto n = static_cast<std::uint32_t>(iterations);
  return rgb(n * colours.red % 256, n * colours.green % 256, n * colours.blue % 256);
}

using Levels = std::array<int, 3>;

Levels levels_of(std::uint32_t colour) {
  return {static_cast<int>(colour & 255), static_cast<int>(colour >> 8 & 255),
          static_cast<int>(colour >> 16 & 255)};
}

int distance(const Levels& a, const Levels& b) {
  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

class Mandelbrot final : public HostProgram {
 public:
  Mandelbrot(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    view_ = random_view(extent_, random);
    for (unsigned int* channel : {&colours_.red, &colours_.green, &colours_.blue}) {
      *channel = 5 + 2 * random.below(8);  // Odd, so that 256 counts have different levels.
    }
  }

  void run(Gpu& device) override {
    Array<std::uint32_t> before = device.allocate<std::uint32_t>(extent_.pixels(), "picture");
    Array<std::uint32_t> after = device.allocate<std::uint32_t>(extent_.pixels(), "refined");
    const std::uint32_t tiles = blocks_for(static_cast<std::size_t>(extent_.width), kTile) *
                                blocks_for(static_cast<std::size_t>(extent_.height), kTile);
    const LaunchShape shape{.grid = {std::min(tiles, kWorkers)}, .block = {kTile, kTile}};
    drawn_.clear();
    device.write_symbol("tiles_taken", std::int32_t{0});
    device.launch("draw", shape, before, view_, colours_, kPlaces[0]);
    drawn_.push_back(device.download(before));
    for (std::size_t samples = 1; samples < extent_.samples; ++samples) {
      device.write_symbol("tiles_taken", std::int32_t{0});
      device.launch("refine", shape, before, after, view_, colours_, kPlaces.at(samples),
                    static_cast<int>(samples));
      std::swap(before, after);
      drawn_.push_back(device.download(before));
    }
  }

  /// Checks each picture on its own, from the one before. A pixel whose point is close to the set's
  /// border has a range of possible iteration counts, because of the roundings of floats. It may
  /// have the colour of any count in this range.
  CheckResult check() const override {
    CheckResult check;
    for (std::size_t sample = 0; sample < drawn_.size(); ++sample) {
      const std::vector<std::uint32_t>& got = drawn_[sample];
      std::vector<std::uint32_t> want;
      for (std::size_t pixel = 0; pixel < got.size(); ++pixel) {
        if (sample > 0 && !differs_from_a_neighbour(drawn_[sample - 1], pixel)) {
          want.push_back(drawn_[sample - 1][pixel]);
        } else {
          want.push_back(nearest_allowed(sample, pixel, got[pixel]));
        }
      }
      check.exact("pixels after sample " + std::to_string(sample + 1), got, want);
    }
    return check;
  }

  std::optional<Picture> picture() const override {
    return Picture{extent_.width, extent_.height, drawn_.back()};
  }

 private:
  bool differs_from_a_neighbour(const std::vector<std::uint32_t>& pixels, std::size_t pixel) const {
    const auto differs = [&](bool exists, std::size_t neighbour) {
      return exists && distance(levels_of(pixels[pixel]), levels_of(pixels[neighbour])) >
                           ::mandelbrot::kAlike;
    };
    const auto width = static_cast<std::size_t>(extent_.width);
    const std::size_t column = pixel % width;
    return differs(column > 0, pixel - 1) || differs(column + 1 < width, pixel + 1) ||
           differs(pixel >= width, pixel - width) ||
           differs(pixel + width < pixels.size(), pixel + width);
  }

  /// Returns `got` if the pixel may have it after this many samples, else an allowed colour.
  std::uint32_t nearest_allowed(std::size_t sample, std::size_t pixel, std::uint32_t got) const {
    const auto width = static_cast<std::size_t>(extent_.width);
    const mandelbrot::EscapeRange range =
        mandelbrot::escape_range(view_, kPlaces.at(sample), pixel % width, pixel / width);
    for (int iterations = range.least; iterations <= range.most; ++iterations) {
      if (mean_with(sample, pixel, iterations) == got) return got;
    }
    return mean_with(sample, pixel, range.least);
  }

  std::uint32_t mean_with(std::size_t sample, std::size_t pixel, int iterations) const {
    const std::uint32_t colour = colour_of(iterations, view_, colours_);
    if (sample == 0) return colour;
    const Levels before = levels_of(drawn_[sample - 1][pixel]), added = levels_of(colour);
    const auto level = [&](std::size_t channel) {
      const double samples = static_cast<double>(sample);
      const double mean = (before.at(channel) * samples + added.at(channel)) / (samples + 1);
      return static_cast<std::uint32_t>(std::lround(mean));
    };
    return rgb(level(0), level(1), level(2));
  }

  Extent extent_;
  View view_{};
  Colours colours_{};
  std::vector<std::vector<std::uint32_t>> drawn_;  ///< The picture after each sample.
};

const Registration kRegistration({
    .name = "mandelbrot",
    .summary = "The set of Mandelbrot by tiles that blocks take in turn, then its edges again",
    .papers = {"storage Table 4.2"},
    .kernels = {{"draw", {kTile, kTile}}, {"refine", {kTile, kTile}}},
    .has_picture = true,
    .make = make_program<Mandelbrot>,
});

}  // namespace
}  // namespace heddle::workload::mandelbrot_host
