#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::fdtd3d_host {
namespace {

using ::fdtd3d::kColumns;
using ::fdtd3d::kRadius;
using ::fdtd3d::kRows;

/// The eighth-order weights of second derivatives for neighbours at distances of 1 to 4, minus
/// twice the cell itself.
constexpr std::array kDifferences{8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
/// The factor of these differences in a time step; factors up to 0.1 are stable.
constexpr double kFlow = 0.08;

struct Shape {
  ::fdtd3d::Extent extent;
  int steps;
};

/// Sizes that are not multiples of the tile.
Shape shape_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {{36, 13, 8}, 2};
    case Size::small:
      return {{60, 44, 22}, 4};
    case Size::medium:
      return {{124, 91, 60}, 3};
    case Size::large:
    case Size::paper:
      break;
  }
  return {{220, 180, 120}, 4};
}

/// The cells and the constant cells around them.
struct Volume {
  std::size_t nx, ny, nz;

  explicit Volume(const ::fdtd3d::Extent& extent)
      : nx(static_cast<std::size_t>(extent.nx) + 2 * kRadius),
        ny(static_cast<std::size_t>(extent.ny) + 2 * kRadius),
        nz(static_cast<std::size_t>(extent.nz) + 2 * kRadius) {}
  std::size_t cells() const { return nx * ny * nz; }
};

/// The cells after a step, computed as flows from neighbours in one direction after the other.
std::vector<double> step(const Volume& volume, const std::vector<double>& before) {
  std::vector<double> after = before;
  for (const std::size_t stride : {std::size_t{1}, volume.nx, volume.nx * volume.ny}) {
    for (std::size_t z = kRadius; z + kRadius < volume.nz; ++z) {
      for (std::size_t y = kRadius; y + kRadius < volume.ny; ++y) {
        const std::size_t row = (z * volume.ny + y) * volume.nx;
        for (std::size_t cell = row + kRadius; cell + kRadius < row + volume.nx; ++cell) {
          for (std::size_t i = 0; i < kDifferences.size(); ++i) {
            const std::size_t apart = (i + 1) * stride;
            const double bend = before[cell + apart] - 2 * before[cell] + before[cell - apart];
            after[cell] += kFlow * kDifferences.at(i) * bend;
          }
        }
      }
    }
  }
  return after;
}

/// The weights of the cell itself and of neighbours by their distance.
std::array<double, kRadius + 1> weights() {
  std::array<double, kRadius + 1> weights{1};
  for (std::size_t i = 0; i < kDifferences.size(); ++i) {
    weights[0] -= 6 * kFlow * kDifferences.at(i);
    weights.at(i + 1) = kFlow * kDifferences.at(i);
  }
  return weights;
}

double greatest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

class Fdtd3d final : public HostProgram {
 public:
  Fdtd3d(Size size, std::uint64_t seed) : shape_(shape_of(size)), volume_(shape_.extent) {
    Random random(seed);
    cells_.resize(volume_.cells());
    for (float& cell : cells_) cell = random.uniform_float(0, 1);
  }

  void run(Gpu& device) override {
    const auto weights_by_distance = weights();
    device.write_symbol("weights",
                        std::vector<float>(weights_by_distance.begin(), weights_by_distance.end()));
    // Kernels never write the cells around the volume, so both arrays need them from the start.
    Array<float> before = device.upload(cells_, "cells");
    Array<float> after = device.upload(cells_, "cells after");
    const auto [nx, ny, nz] = shape_.extent;
    for (int i = 0; i < shape_.steps; ++i) {
      device.launch("fdtd_step",
                    {.grid = {blocks_for(static_cast<std::size_t>(nx), kColumns),
                              blocks_for(static_cast<std::size_t>(ny), kRows)},
                     .block = {kColumns, kRows}},
                    before, after, shape_.extent);
      std::swap(before, after);
    }
    result_ = device.download(before);
  }

  /// A weight is rounded once; five sums combine six neighbours; a product and four sums follow.
  /// That is eleven roundings of at most the cells' total weight. Earlier errors are weighted, too.
  CheckResult check() const override {
    double weight = 0;
    const auto weights_by_distance = weights();
    for (std::size_t i = 0; i < weights_by_distance.size(); ++i) {
      weight += (i == 0 ? 1 : 6) * std::abs(weights_by_distance.at(i));
    }
    std::vector<double> want(cells_.begin(), cells_.end());
    double allowed = 0;
    for (int i = 0; i < shape_.steps; ++i) {
      allowed = weight * (allowed + 11 * 0x1p-24 * greatest(want));
      want = step(volume_, want);
    }
    CheckResult check;
    check.close("cells", result_, want,
                {.absolute = allowed,
                 .reason = "in every step eleven roundings of 2^-24 of the greatest value, by the "
                           "weights' sum"});
    return check;
  }

 private:
  Shape shape_;
  Volume volume_;
  std::vector<float> cells_, result_;
};

const Registration kRegistration({
    .name = "fdtd3d",
    .summary = "Finite differences of the eighth order in three dimensions: 25 cells make one",
    .papers = {"preexec Table 2"},
    .kernels = {{"fdtd_step", {kColumns, kRows}}},
    .make = make_program<Fdtd3d>,
});

}  // namespace
}  // namespace heddle::workload::fdtd3d_host
