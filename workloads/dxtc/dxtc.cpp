#include <algorithm>
#include <cmath>
#include <vector>

#include "base/colour.h"
#include "dxtc_reference.h"
#include "kernel.h"
#include "workload/inputs/landscape.h"
#include "workload/workload.h"

namespace heddle::workload::dxtc_host {
namespace {

using dxtc::Block;
using dxtc::Levels;
using dxtc::Tile;

struct Extent {
  int width, height;
};

/// Sizes that are mostly not multiples of the tile, so tiles extend beyond the edges.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {11, 7};
    case Size::small:
      return {50, 38};
    case Size::medium:
      return {130, 98};
    case Size::large:
      return {478, 333};
    case Size::paper:
      return {128, 128};  // simt Table 3: 1024, taken for the number of tiles
  }
  return {0, 0};
}

/// The least size of a landscape that shows something; smaller pictures are cut out of it.
constexpr int kMinWidth = 48, kMinHeight = 36;

/// All partitions of 16 sorted colours: the cluster of each colour, two bits each.
std::vector<std::uint32_t> partitions() {
  std::vector<std::uint32_t> result;
  for (int first = 0; first <= kPixels; ++first) {
    for (int second = first; second <= kPixels; ++second) {
      for (int third = second; third <= kPixels; ++third) {
        std::uint32_t clusters = 0;
        for (int i = 0; i < kPixels; ++i) {
          const int cluster = (i >= first) + (i >= second) + (i >= third);
          clusters |= static_cast<std::uint32_t>(cluster) << (2 * i);
        }
        result.push_back(clusters);
      }
    }
  }
  return result;
}

class Dxtc final : public HostProgram {
 public:
  Dxtc(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    const int width = std::max(extent_.width, kMinWidth);
    const int height = std::max(extent_.height, kMinHeight);
    const Picture scene = landscape(width, height, seed);
    const int left = (width - extent_.width) / 2, top = (height - extent_.height) / 2;
    original_ = {extent_.width, extent_.height, {}};
    for (int y = 0; y < extent_.height; ++y) {
      for (int x = 0; x < extent_.width; ++x) {
        original_.pixels.push_back(scene.at(left + x, top + y));
      }
    }
  }

  void run(Gpu& device) override {
    const auto image = device.upload(original_.pixels, "image");
    const auto table = device.upload(partitions(), "partitions");
    const auto blocks = device.allocate<Block>(tiles(), "blocks");
    device.launch("dxt_compress",
                  {.grid = {static_cast<std::uint32_t>(tiles())}, .block = {kThreads}}, image,
                  extent_.width, extent_.height, table, blocks);
    blocks_ = device.download(blocks);
  }

  CheckResult check() const override {
    std::vector<int> well_formed;
    std::vector<double> excess;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      well_formed.push_back(dxtc::is_well_formed(blocks_[i]) ? 1 : 0);
      excess.push_back(excess_of(tile(i), blocks_[i]));
    }
    CheckResult check;
    check.exact("well-formed blocks", well_formed, std::vector<int>(tiles(), 1));
    check.close("tiles' distance from the least squared error, over its terms", excess,
                std::vector<double>(tiles(), 0),
                {.absolute = 8 * 0x1p-24,
                 .reason = "the errors compared are sums that 8 roundings of 2^-24 reach"});
    return check;
  }

  /// The original, and beside it the decoded blocks.
  std::optional<Picture> picture() const override {
    const int gap = std::max(1, extent_.width / 60);
    const int width = 2 * extent_.width + gap;
    Picture result{width, extent_.height, {}};
    const int across = tiles_across();
    for (int y = 0; y < extent_.height; ++y) {
      for (int column = 0; column < width; ++column) {
        const int x = column - extent_.width - gap;
        if (column < extent_.width) {
          result.pixels.push_back(original_.at(column, y));
        } else if (x < 0) {
          result.pixels.push_back(grey(1));
        } else {
          const Block& block = blocks_[static_cast<std::size_t>(y / kTile * across + x / kTile)];
          const auto pixel = static_cast<std::size_t>(y % kTile * kTile + x % kTile);
          const Levels levels = dxtc::colour_of(dxtc::decode(block), pixel);
          result.pixels.push_back(rgb(static_cast<std::uint32_t>(levels[0]),
                                      static_cast<std::uint32_t>(levels[1]),
                                      static_cast<std::uint32_t>(levels[2])));
        }
      }
    }
    return result;
  }

 private:
  int tiles_across() const { return (extent_.width + kTile - 1) / kTile; }
  std::size_t tiles() const {
    return static_cast<std::size_t>(tiles_across() * ((extent_.height + kTile - 1) / kTile));
  }

  Tile tile(std::size_t number) const {
    const int left = static_cast<int>(number) % tiles_across() * kTile;
    const int top = static_cast<int>(number) / tiles_across() * kTile;
    Tile result{};
    for (int i = 0; i < kPixels; ++i) {
      const std::uint32_t pixel = original_.at(std::min(left + i % kTile, extent_.width - 1),
                                               std::min(top + i / kTile, extent_.height - 1));
      for (int c = 0; c < 3; ++c) {
        result[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)] =
            static_cast<int>(pixel >> 8 * c & 0xff);
      }
    }
    return result;
  }

  /// The difference of a block's squared error from the optimum, as a share of the terms that are
  /// added when two errors are compared.
  static double excess_of(const Tile& tile, const Block& block) {
    const dxtc::Fit fit = dxtc::decode(block);
    const dxtc::Optimum best = dxtc::best_fit(tile);
    const double error = dxtc::squared_error(fit, tile);
    const double beyond = std::max({0.0, best.low - error, error - best.high});
    // The reference's own roundings in double precision are negligible.
    if (beyond < 1e-6) return 0;
    return beyond / (dxtc::magnitude(fit, tile) + dxtc::magnitude(best.fit, tile));
  }

  Extent extent_;
  Picture original_;
  std::vector<Block> blocks_;
};

const Registration kRegistration({
    .name = "dxtc",
    .summary = "Compression of a picture to DXT1 blocks of 4x4 pixels",
    .papers = {"simt Table 3", "simt Table 7"},
    .kernels = {{"dxt_compress", {kThreads}}},
    .has_paper_size = true,
    .has_picture = true,
    .make = make_program<Dxtc>,
});

}  // namespace
}  // namespace heddle::workload::dxtc_host
