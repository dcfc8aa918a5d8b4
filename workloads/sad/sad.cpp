#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::sad_host {
namespace {

using namespace ::sad;

struct Extent {
  int width, height;
};

/// Sizes that are multiples of the macroblock, as those of video frames are.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {32, 16};
    case Size::small:
      return {80, 80};
    case Size::medium:
      return {176, 144};
    case Size::large:
    case Size::paper:
      break;
  }
  return {352, 288};
}

/// One way to partition a macroblock.
struct Blocks {
  int width, height;

  int across() const { return kMacroblock / width; }
  int count() const { return across() * (kMacroblock / height); }
  std::string name() const { return std::to_string(width) + "x" + std::to_string(height); }
};

constexpr std::array kShapes{Blocks{4, 4},  Blocks{8, 4},  Blocks{4, 8},  Blocks{8, 8},
                             Blocks{16, 8}, Blocks{8, 16}, Blocks{16, 16}};

using Frame = std::vector<std::uint8_t>;

/// Two frames of a film. Between them the camera turns a little, and an object moves by itself.
/// Every frame has its own noise.
class Film {
 public:
  Film(Extent extent, std::uint64_t seed)
      : extent_(extent), random_(seed), scene_width_(extent.width + 2 * kMargin) {
    scene_ = luminance(landscape(scene_width_, extent.height + 2 * kMargin, seed));
  }

  Frame first() { return frame({0, 0}, {0, 0}); }
  Frame second() {
    const auto movement = [&] { return static_cast<int>(random_.below(kReach + 1)) - kReach / 2; };
    const Vector camera{movement(), movement()}, body{movement(), movement()};
    return frame(camera, body);
  }

 private:
  static constexpr int kMargin = kReach;
  struct Vector {
    int x, y;
  };

  Frame frame(Vector camera, Vector body) {
    Frame frame;
    for (int y = 0; y < extent_.height; ++y) {
      for (int x = 0; x < extent_.width; ++x) {
        const double across = 4.0 * (x - body.x) / extent_.width - 2.4;
        const double down = 4.0 * (y - body.y) / extent_.height - 2.2;
        // The moving body is a piece of the scene turned upside down.
        const bool on_body = across * across + down * down < 1;
        const int column = x + kMargin - (on_body ? body.x : camera.x);
        const int row =
            on_body ? extent_.height + kMargin - 1 - (y - body.y) : y + kMargin - camera.y;
        const float bright = scene_[static_cast<std::size_t>(row * scene_width_ + column)];
        const int level = static_cast<int>(bright * 255) + static_cast<int>(random_.below(5)) - 2;
        frame.push_back(static_cast<std::uint8_t>(std::clamp(level, 0, 255)));
      }
    }
    return frame;
  }

  Extent extent_;
  Random random_;
  int scene_width_;
  std::vector<float> scene_;
};

class Sad final : public HostProgram {
 public:
  Sad(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Film film(extent_, seed);
    reference_ = film.first();
    frame_ = film.second();
  }

  void run(Gpu& device) override {
    const auto width = static_cast<std::uint32_t>(extent_.width);
    const auto height = static_cast<std::uint32_t>(extent_.height);
    const TextureHandle reference = device.create_texture(
        {.width = width, .height = height, .texel = TextureDescription::Texel::u8},
        std::as_bytes(std::span(reference_)));
    const auto frame = device.upload(frame_, "frame");
    std::array<Array<std::uint16_t>, kShapes.size()> sums;
    for (std::size_t i = 0; i < kShapes.size(); ++i) {
      const std::size_t blocks = macroblocks() * static_cast<std::size_t>(kShapes.at(i).count());
      sums.at(i) = device.allocate<std::uint16_t>(blocks * kStride, "sums " + kShapes.at(i).name());
      // The gap between the last vector and the next block stays empty.
      device.fill(sums.at(i), 0);
    }
    const LaunchShape by_macroblock{.grid = {width / kMacroblock, height / kMacroblock},
                                    .block = {kPairThreads, kQuarters}};
    const auto& [s4x4, s8x4, s4x8, s8x8, s16x8, s8x16, s16x16] = sums;
    device.launch("sad_4x4", {.grid = {width / kSmall, height / kSmall}, .block = {kSmallThreads}},
                  reference, frame, s4x4);
    device.launch("larger_sad_8", by_macroblock, s4x4, s8x4, s4x8, s8x8);
    device.launch("larger_sad_16", by_macroblock, s8x8, s16x8, s8x16, s16x16);
    for (std::size_t i = 0; i < kShapes.size(); ++i) sums_.at(i) = device.download(sums.at(i));
  }

  /// Computes the sums for blocks of all sizes from the pixels, vector by vector: as differences of
  /// sums over all pixels above and to the left.
  CheckResult check() const override {
    std::array<std::vector<std::uint16_t>, kShapes.size()> want;
    for (std::size_t i = 0; i < kShapes.size(); ++i) want.at(i).resize(sums_.at(i).size());
    for (int vector = 0; vector < kVectors; ++vector) {
      const std::vector<std::uint32_t> above =
          differences_above(vector % kVectorsAcross - kReach, vector / kVectorsAcross - kReach);
      for (std::size_t i = 0; i < kShapes.size(); ++i) {
        const Blocks& blocks = kShapes.at(i);
        for (int y = 0; y < extent_.height; y += blocks.height) {
          for (int x = 0; x < extent_.width; x += blocks.width) {
            const auto corner = [&](int column, int row) {
              return above[static_cast<std::size_t>(row * (extent_.width + 1) + column)];
            };
            const int right = x + blocks.width, bottom = y + blocks.height;
            want.at(i)[place_of(blocks, x, y) + static_cast<std::size_t>(vector)] =
                static_cast<std::uint16_t>(corner(right, bottom) - corner(x, bottom) -
                                           corner(right, y) + corner(x, y));
          }
        }
      }
    }
    CheckResult check;
    for (std::size_t i = 0; i < kShapes.size(); ++i) {
      check.exact("sums " + kShapes.at(i).name(), sums_.at(i), want.at(i));
    }
    return check;
  }

  /// The frame, the difference from the frame before, and the remaining difference when each
  /// macroblock is taken from its best match.
  std::optional<Picture> picture() const override {
    Picture picture{3 * extent_.width, extent_.height, {}};
    for (int y = 0; y < extent_.height; ++y) {
      for (int part = 0; part < 3; ++part) {
        for (int x = 0; x < extent_.width; ++x) {
          const int vector = part == 2 ? best_vector(x, y) : kVectors / 2;
          const int difference =
              level(frame_, x, y) - level(reference_, x + vector % kVectorsAcross - kReach,
                                          y + vector / kVectorsAcross - kReach);
          const double shown = part == 0 ? level(frame_, x, y) : 128 + difference;
          picture.pixels.push_back(grey(shown / 255));
        }
      }
    }
    return picture;
  }

 private:
  std::size_t macroblocks() const {
    return static_cast<std::size_t>(extent_.width / kMacroblock * (extent_.height / kMacroblock));
  }

  /// The index of the first sum of the block that contains pixel (x, y).
  std::size_t place_of(const Blocks& blocks, int x, int y) const {
    const int macroblock = y / kMacroblock * (extent_.width / kMacroblock) + x / kMacroblock;
    const int block =
        y % kMacroblock / blocks.height * blocks.across() + x % kMacroblock / blocks.width;
    return static_cast<std::size_t>((macroblock * blocks.count() + block) * kStride);
  }

  int best_vector(int x, int y) const {
    const auto begin =
        sums_.back().begin() + static_cast<std::ptrdiff_t>(place_of(kShapes.back(), x, y));
    return static_cast<int>(std::min_element(begin, begin + kVectors) - begin);
  }

  /// Positions outside the picture take the value of the nearest edge pixel.
  int level(const Frame& frame, int x, int y) const {
    const int column = std::clamp(x, 0, extent_.width - 1);
    const int row = std::clamp(y, 0, extent_.height - 1);
    return frame[static_cast<std::size_t>(row * extent_.width + column)];
  }

  /// For each corner between pixels, the sum of the absolute differences of all pixels above and to
  /// the left of it, with the reference shifted by (x, y). The sum may wrap around; differences of
  /// sums are still right.
  std::vector<std::uint32_t> differences_above(int x, int y) const {
    const auto across = static_cast<std::size_t>(extent_.width) + 1;
    std::vector<std::uint32_t> above(across * (static_cast<std::size_t>(extent_.height) + 1));
    for (int row = 0; row < extent_.height; ++row) {
      std::uint32_t row_sum = 0;
      for (int column = 0; column < extent_.width; ++column) {
        row_sum += static_cast<std::uint32_t>(
            std::abs(level(frame_, column, row) - level(reference_, column + x, row + y)));
        const std::size_t corner =
            static_cast<std::size_t>(row + 1) * across + static_cast<std::size_t>(column) + 1;
        above[corner] = above[corner - across] + row_sum;
      }
    }
    return above;
  }

  Extent extent_;
  Frame reference_, frame_;
  /// For each shape, the sums ordered by block, then by vector.
  std::array<std::vector<std::uint16_t>, kShapes.size()> sums_;
};

const Registration kRegistration({
    .name = "sad",
    .summary = "Motion in a film: sums of absolute differences for all vectors and sizes of blocks",
    .papers = {"storage Table 4.2", "storage Table 4.3", "preexec Table 2"},
    .kernels = {{"sad_4x4", {kSmallThreads}},
                {"larger_sad_8", {kPairThreads, kQuarters}},
                {"larger_sad_16", {kPairThreads, kQuarters}}},
    .has_picture = true,
    .make = make_program<Sad>,
});

}  // namespace
}  // namespace heddle::workload::sad_host
