#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/colour.h"
#include "heat.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::stencil_host {
namespace {

constexpr std::uint32_t kSide = 32;  ///< Threads along a side of a block.

/// The thickness of the plate is along y. Only 8 of the 32 rows of threads in a block have cells to
/// compute.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {70, 10, 33, 3};
    case Size::small:
      return {200, 10, 75, 7};
    case Size::medium:
      return {510, 10, 190, 15};
    case Size::large:
      return {1000, 10, 300, 31};
    case Size::paper:
      return {2040, 10, 64, 10};  // warpman, section 3.2.2: 64 blocks
  }
  return {};
}

struct Point {
  double x, z;
};

double square(double value) { return value * value; }

/// The squared distance of a point from a line, and the relative position of its nearest point on
/// the line, from 0 to 1.
std::pair<double, double> distance(Point point, Point from, Point to) {
  const double length = square(to.x - from.x) + square(to.z - from.z);
  const double dot = (point.x - from.x) * (to.x - from.x) + (point.z - from.z) * (to.z - from.z);
  const double along = length > 0 ? std::clamp(dot / length, 0.0, 1.0) : 0;
  const Point nearest{from.x + along * (to.x - from.x), from.z + along * (to.z - from.z)};
  return {square(point.x - nearest.x) + square(point.z - nearest.z), along};
}

/// The temperature in degrees Celsius of a steel plate that has just been welded. The seam is
/// cooler and wider where its metal was liquid longer ago.
std::vector<float> welded_plate(const Extent& extent, Random& random) {
  constexpr int kCorners = 9;
  const auto width = static_cast<double>(extent.nx);
  const auto depth = static_cast<double>(extent.nz);
  std::array<Point, kCorners> corners{};
  for (int i = 0; i < kCorners; ++i) {
    corners[static_cast<std::size_t>(i)] = {
        .x = width * (0.08 + 0.84 * i / (kCorners - 1.0)),
        .z = depth * (i % 2 == 0 ? random.uniform(0.15, 0.45) : random.uniform(0.55, 0.85))};
  }
  std::vector<float> plate;
  plate.reserve(extent.nx * extent.ny * extent.nz);
  for (std::size_t z = 0; z < extent.nz; ++z) {
    std::vector<double> seam(extent.nx);
    for (std::size_t x = 0; x < extent.nx; ++x) {
      const Point point{static_cast<double>(x), static_cast<double>(z)};
      for (std::size_t i = 0; i + 1 < kCorners; ++i) {
        const auto [apart, along] = distance(point, corners[i], corners[i + 1]);
        const double age = 1 - (static_cast<double>(i) + along) / (kCorners - 1);
        const double reach = square(0.02 + 0.05 * age) * square(depth);
        seam[x] = std::max(seam[x], (1450 - 1000 * age) / square(1 + apart / reach));
      }
    }
    for (std::size_t y = 0; y < extent.ny; ++y) {
      // The plate is warmest on top, where the torch was.
      const double share = 1 - 0.05 * static_cast<double>(y);
      for (std::size_t x = 0; x < extent.nx; ++x) {
        plate.push_back(static_cast<float>(20 + share * seam[x] + random.uniform(0, 10)));
      }
    }
  }
  return plate;
}

class Stencil final : public HostProgram {
 public:
  Stencil(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    plate_ = welded_plate(extent_, random);
  }

  void run(Gpu& device) override {
    // Kernels never write the surface, so both arrays need it from the start.
    Array<float> before = device.upload(plate_, "plate");
    Array<float> after = device.upload(plate_, "plate after");
    const auto blocks = [](std::size_t cells) {
      return static_cast<std::uint32_t>((cells + kSide - 1) / kSide);
    };
    for (int i = 0; i < extent_.steps; ++i) {
      device.launch("stencil",
                    {.grid = {blocks(extent_.nx), blocks(extent_.ny)}, .block = {kSide, kSide}},
                    before, after, static_cast<int>(extent_.nx), static_cast<int>(extent_.ny),
                    static_cast<int>(extent_.nz), static_cast<float>(kOwnWeight),
                    static_cast<float>(kNeighbourWeight));
      std::swap(before, after);
    }
    result_ = device.download(before);
  }

  CheckResult check() const override { return check_heat(extent_, plate_, result_); }

  /// The plane halfway through the plate.
  std::optional<Picture> picture() const override {
    Picture picture{.width = static_cast<int>(extent_.nx),
                    .height = static_cast<int>(extent_.nz),
                    .pixels = {}};
    for (std::size_t z = 0; z < extent_.nz; ++z) {
      for (std::size_t x = 0; x < extent_.nx; ++x) {
        const float value = result_[(z * extent_.ny + extent_.ny / 2) * extent_.nx + x];
        picture.pixels.push_back(heat(0.1 + static_cast<double>(value) / 1200));
      }
    }
    return picture;
  }

 private:
  Extent extent_;
  std::vector<float> plate_, result_;
};

const Registration kRegistration({
    .name = "stencil",
    .summary = "Heat flow in a plate just welded: a cell and its six neighbours, in time steps",
    .papers = {"warpman Table 2"},
    .kernels = {{"stencil",
                 {kSide, kSide},
                 PaperResources{.source = "warpman Table 2",
                                .registers_per_thread = 17,
                                .shared_bytes_per_block = 0,
                                .blocks_per_sm = 1}}},
    .has_paper_size = true,
    .has_picture = true,
    .make = make_program<Stencil>,
});

}  // namespace
}  // namespace heddle::workload::stencil_host
