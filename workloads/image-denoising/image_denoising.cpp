#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::image_denoising_host {
namespace {

using Pixels = std::vector<std::uint32_t>;

/// The deviation of the noise, in levels.
constexpr double kDeviation = 12;
/// Two pixels of the same colour differ by six times the noise's variance on average. Patches vary
/// less around that than single pixels do, so smaller differences distinguish them.
constexpr Falloff kByPixel{.by_difference = 25, .by_distance = 1.0F / (kSearchSide * kSearchSide)};
constexpr Falloff kByPatch{.by_difference = 100, .by_distance = 1.0F / (kSearchSide * kSearchSide)};

struct Extent {
  int width, height;
};

/// Sizes that are not multiples of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {20, 16};
    case Size::small:
      return {83, 61};
    case Size::medium:
      return {203, 150};
    case Size::large:
    case Size::paper:
      return {573, 430};
  }
  return {};
}

Pixels with_noise(const Pixels& clean, std::uint64_t seed) {
  Random random(seed);
  Pixels noisy;
  for (const std::uint32_t pixel : clean) {
    std::array<std::uint32_t, 3> levels{};
    for (std::uint32_t channel = 0; channel < 3; ++channel) {
      const double level = (pixel >> 8 * channel & 0xff) + kDeviation * random.normal();
      levels[channel] = static_cast<std::uint32_t>(std::clamp(level + 0.5, 0.0, 255.0));
    }
    noisy.push_back(rgb(levels[0], levels[1], levels[2]));
  }
  return noisy;
}

struct Filter {
  const char* kernel;
  Falloff falloff;
  int patch_radius;
  bool shares_weights;  ///< The block uses the weights of its middle.
};

constexpr std::array kFilters{
    Filter{"neighbourhood_filter", kByPixel, 0, false},
    Filter{"non_local_means", kByPatch, kPatchRadius, false},
    Filter{"quick_non_local_means", kByPatch, kSharedPatchRadius, true},
};
/// The index of the filter whose result the picture shows.
constexpr std::size_t kShown = 1;

class ImageDenoising final : public HostProgram {
 public:
  ImageDenoising(Size size, std::uint64_t seed)
      : extent_(extent_of(size)),
        image_(with_noise(landscape(extent_.width, extent_.height, seed).pixels, seed)) {}

  void run(Gpu& device) override {
    const auto width = static_cast<std::uint32_t>(extent_.width);
    const auto height = static_cast<std::uint32_t>(extent_.height);
    const TextureHandle texture = device.create_texture({.width = width,
                                                         .height = height,
                                                         .texel = TextureDescription::Texel::u8,
                                                         .channels = 4,
                                                         .read_as_fraction = true},
                                                        std::as_bytes(std::span(image_)));
    const auto out = device.allocate<std::uint32_t>(image_.size(), "filtered image");
    for (std::size_t i = 0; i < kFilters.size(); ++i) {
      device.launch(kFilters[i].kernel,
                    {.grid = {(width + kBlock - 1) / kBlock, (height + kBlock - 1) / kBlock},
                     .block = {kBlock, kBlock}},
                    texture, out, extent_.width, extent_.height, kFilters[i].falloff);
      filtered_[i] = device.download(out);
    }
  }

  CheckResult check() const override {
    // Differences have some thirty roundings of 2^-24, and their exponential changes by at most
    // that times 1 / e. The fast exponential adds 2^-21. With 49 weights, one of which is 1, that
    // is below a hundredth of a level.
    const Bound bound{.absolute = 0.51,
                      .reason = "half a level for rounding, a hundredth for floats"};
    CheckResult check;
    for (std::size_t i = 0; i < kFilters.size(); ++i) {
      std::vector<double> got;
      for (const std::uint32_t pixel : filtered_[i]) {
        for (std::uint32_t shift = 0; shift < 32; shift += 8) got.push_back(pixel >> shift & 0xff);
      }
      check.close(std::string(kFilters[i].kernel) + ": level", got, filtered(kFilters[i]), bound);
    }
    return check;
  }

  /// The noisy image, and beside it the result of non-local means.
  std::optional<Picture> picture() const override {
    constexpr int kGap = 4;
    Picture picture{2 * extent_.width + kGap, extent_.height, {}};
    for (int row = 0; row < extent_.height; ++row) {
      const auto add_row = [&](const Pixels& pixels) {
        const auto first = pixels.begin() + static_cast<std::ptrdiff_t>(row) * extent_.width;
        picture.pixels.insert(picture.pixels.end(), first, first + extent_.width);
      };
      add_row(image_);
      picture.pixels.insert(picture.pixels.end(), kGap, rgb(255, 255, 255));
      add_row(filtered_[kShown]);
    }
    return picture;
  }

 private:
  /// The host's sums for one pixel.
  struct Mean {
    std::array<double, 3> sums{};
    double weights = 0;
  };

  /// Computes four channels per pixel, one offset after the other for the whole image, in double
  /// precision.
  std::vector<double> filtered(const Filter& filter) const {
    std::vector<Mean> means(image_.size());
    for (int y = -kSearchRadius; y <= kSearchRadius; ++y) {
      for (int x = -kSearchRadius; x <= kSearchRadius; ++x) add_offset(filter, x, y, means);
    }
    std::vector<double> levels;
    for (const Mean& mean : means) {
      for (const double sum : mean.sums) levels.push_back(sum / mean.weights);
      levels.push_back(255);
    }
    return levels;
  }

  void add_offset(const Filter& filter, int x, int y, std::vector<Mean>& means) const {
    const Differences differences(*this, x, y, filter.patch_radius);
    for (int row = 0; row < extent_.height; ++row) {
      for (int column = 0; column < extent_.width; ++column) {
        const auto middle = [&](int place) {
          return filter.shares_weights ? place / kBlock * kBlock + kBlock / 2 : place;
        };
        const double difference = differences.of_patch(middle(column), middle(row));
        const double weight =
            std::exp(-(difference * static_cast<double>(filter.falloff.by_difference) +
                       (x * x + y * y) * static_cast<double>(filter.falloff.by_distance)));
        Mean& mean = means[static_cast<std::size_t>(row * extent_.width + column)];
        for (std::uint32_t i = 0; i < 3; ++i) {
          mean.sums[i] += weight * (pixel(column + x, row + y) >> 8 * i & 0xff);
        }
        mean.weights += weight;
      }
    }
  }

  /// The differences of pixels at an offset, as prefix sums from the image's top left corner, so
  /// that four corners give any patch's sum. They extend beyond the image by a block and a patch.
  class Differences {
   public:
    Differences(const ImageDenoising& program, int x, int y, int radius)
        : radius_(radius), stride_(program.extent_.width + 2 * kBeyond + 1) {
      const auto [width, height] = program.extent_;
      sums_.resize(static_cast<std::size_t>(stride_ * (height + 2 * kBeyond + 1)));
      for (int row = -kBeyond; row < height + kBeyond; ++row) {
        double line = 0;
        for (int column = -kBeyond; column < width + kBeyond; ++column) {
          const std::uint32_t a = program.pixel(column, row),
                              b = program.pixel(column + x, row + y);
          for (int shift = 0; shift < 24; shift += 8) {
            const double apart =
                static_cast<double>(a >> shift & 0xff) - static_cast<double>(b >> shift & 0xff);
            line += apart * apart;
          }
          sums_[place(column + 1, row + 1)] = sums_[place(column + 1, row)] + line;
        }
      }
    }

    /// The mean over a patch, with levels from 0 to 1.
    double of_patch(int column, int row) const {
      const int left = column - radius_, right = column + radius_ + 1;
      const int top = row - radius_, bottom = row + radius_ + 1;
      const double sum = sums_[place(right, bottom)] - sums_[place(left, bottom)] -
                         sums_[place(right, top)] + sums_[place(left, top)];
      const int side = 2 * radius_ + 1;
      return sum / (255.0 * 255.0 * side * side);
    }

   private:
    static constexpr int kBeyond = kBlock + kSharedPatchRadius;

    /// The index of the sum over everything above and to the left of a pixel.
    std::size_t place(int column, int row) const {
      return static_cast<std::size_t>((row + kBeyond) * stride_ + column + kBeyond);
    }

    int radius_, stride_;
    std::vector<double> sums_;
  };

  /// Positions outside the picture take the value of the nearest edge pixel.
  std::uint32_t pixel(int column, int row) const {
    const int x = std::clamp(column, 0, extent_.width - 1);
    const int y = std::clamp(row, 0, extent_.height - 1);
    return image_[static_cast<std::size_t>(y * extent_.width + x)];
  }

  Extent extent_;
  Pixels image_;
  std::array<Pixels, kFilters.size()> filtered_;
};

const Registration kRegistration({
    .name = "image-denoising",
    .summary = "Noise taken out of a photograph by means of pixels that are alike",
    .papers = {"storage Table 4.2"},
    .kernels = {{"neighbourhood_filter", {kBlock, kBlock}},
                {"non_local_means", {kBlock, kBlock}},
                {"quick_non_local_means", {kBlock, kBlock}}},
    .has_picture = true,
    .make = [](Size size, std::uint64_t seed) -> std::unique_ptr<HostProgram> {
      return std::make_unique<ImageDenoising>(size, seed);
    },
});

}  // namespace
}  // namespace heddle::workload::image_denoising_host
