#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "heat.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::stencil_host {
namespace {

constexpr std::uint32_t kThreadsX = stencil_tile::kTileThreads;
constexpr std::uint32_t kThreadsY = stencil_tile::kTileRows;

/// Extents that are not multiples of a tile, except those of `large`.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {70, 22, 9, 3};
    case Size::small:
      return {125, 126, 26, 2};
    case Size::medium:
      return {250, 254, 26, 3};
    case Size::large:
    case Size::paper:
      break;
  }
  return {512, 512, 64, 2};
}

/// The temperature in degrees Celsius of a block of metal in which some places have been heated.
std::vector<float> heated_block(const Extent& extent, Random& random) {
  struct Source {
    double x, y, z, reach, heat;
  };
  std::array<Source, 6> sources{};
  const auto width = static_cast<double>(extent.nx);
  const auto depth = static_cast<double>(extent.ny);
  const auto height = static_cast<double>(extent.nz);
  for (Source& source : sources) {
    source = {.x = random.uniform(0, width),
              .y = random.uniform(0, depth),
              .z = random.uniform(0, height),
              .reach = random.uniform(0.05, 0.2) * width,
              .heat = random.uniform(200, 900)};
  }
  std::vector<float> block;
  block.reserve(extent.cells());
  for (std::size_t z = 0; z < extent.nz; ++z) {
    for (std::size_t y = 0; y < extent.ny; ++y) {
      for (std::size_t x = 0; x < extent.nx; ++x) {
        double temperature = 20 + random.uniform(0, 10);
        for (const Source& source : sources) {
          const double distance =
              std::hypot(static_cast<double>(x) - source.x, static_cast<double>(y) - source.y,
                         static_cast<double>(z) - source.z);
          temperature += source.heat / (1 + distance * distance / (source.reach * source.reach));
        }
        block.push_back(static_cast<float>(temperature));
      }
    }
  }
  return block;
}

class StencilTiled final : public HostProgram {
 public:
  StencilTiled(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    block_ = heated_block(extent_, random);
  }

  void run(Gpu& device) override {
    // The kernel never writes the surface, so both arrays need it from the start.
    Array<float> before = device.upload(block_, "block");
    Array<float> after = device.upload(block_, "block after");
    const LaunchShape shape{.grid = {blocks_for(extent_.nx, stencil_tile::kTileColumns),
                                     blocks_for(extent_.ny, stencil_tile::kTileRows)},
                            .block = {kThreadsX, kThreadsY}};
    for (int i = 0; i < extent_.steps; ++i) {
      device.launch("stencil_tiled", shape, before, after, static_cast<int>(extent_.nx),
                    static_cast<int>(extent_.ny), static_cast<int>(extent_.nz),
                    static_cast<float>(kOwnWeight), static_cast<float>(kNeighbourWeight));
      std::swap(before, after);
    }
    result_ = device.download(before);
  }

  CheckResult check() const override { return check_heat(extent_, block_, result_); }

 private:
  Extent extent_;
  std::vector<float> block_, result_;
};

const Registration kRegistration({
    .name = "stencil-tiled",
    .folder = "stencil",
    .summary = "Heat flow in a block of metal, by tiles in shared memory and in time steps",
    .papers = {"preexec Table 2"},
    .kernels = {{"stencil_tiled", {kThreadsX, kThreadsY}}},
    .make = make_program<StencilTiled>,
});

}  // namespace
}  // namespace heddle::workload::stencil_host
