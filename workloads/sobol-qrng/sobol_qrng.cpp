#include <bit>
#include <string>
#include <vector>

#include "directions.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::sobol_qrng_host {
namespace {

using sobol_qrng::kBits;
using sobol_qrng::kThreads;

/// The least number of blocks in the grid.
constexpr std::uint32_t kMinBlocks = 64;

struct Extent {
  std::uint32_t dimensions;
  std::uint32_t points;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {11, 10'000};
    case Size::small:
      return {50, 50'000};
    case Size::medium:
      return {100, 150'000};
    case Size::large:
    case Size::paper:
      break;
  }
  return {100, 700'000};
}

class SobolQrng final : public HostProgram {
 public:
  SobolQrng(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    directions_ = sobol_directions(extent_.dimensions, random);
  }

  void run(Gpu& device) override {
    const Array<std::uint32_t> directions = device.upload(directions_, "directions");
    const Array<float> points =
        device.allocate<float>(std::size_t{extent_.dimensions} * extent_.points, "points");
    // A power of two, so that the number of threads per dimension is also a power of two.
    const std::uint32_t blocks =
        std::bit_ceil((kMinBlocks + extent_.dimensions - 1) / extent_.dimensions);
    device.launch("sobol_points", {.grid = {blocks, extent_.dimensions}, .block = {kThreads}},
                  directions, points, static_cast<int>(extent_.points));
    points_ = device.download(points);
  }

  CheckResult check() const override {
    CheckResult check;
    check.require(points_.size() == std::size_t{extent_.dimensions} * extent_.points,
                  "number of points", std::to_string(points_.size()), "all");
    if (!check.passed()) return check;
    for (std::uint32_t d = 0; d < extent_.dimensions; ++d) {
      const std::vector<std::uint32_t> want = points_of(d);
      const std::string name = "dimension " + std::to_string(d);
      check.exact(name + ": points in an interval", points_in_intervals(want),
                  std::vector<std::uint32_t>(std::bit_floor(extent_.points), 1));
      std::vector<std::uint32_t> got, coordinates;
      for (std::uint32_t i = 0; i < extent_.points; ++i) {
        got.push_back(bits_of(points_[std::size_t{d} * extent_.points + i]));
        coordinates.push_back(bits_of(static_cast<float>(want[i]) * 0x1p-32F));
      }
      check.exact(name, got, coordinates);
    }
    return check;
  }

 private:
  /// The conversion of an integer to a float is exactly defined, so all bits must agree.
  static std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

  /// Computes the points one after the other, as Antonov and Saleev do: a point differs from the
  /// one before in the direction of the lowest bit of its number.
  std::vector<std::uint32_t> points_of(std::uint32_t dimension) const {
    const std::uint32_t* direction = &directions_[std::size_t{dimension} * kBits];
    std::vector<std::uint32_t> points{0};
    for (std::uint32_t i = 1; i < extent_.points; ++i) {
      points.push_back(points.back() ^ direction[std::countr_zero(i)]);
    }
    return points;
  }

  /// Each of 2^k points must have one of 2^k intervals to itself. This checks the directions, too.
  static std::vector<std::uint32_t> points_in_intervals(const std::vector<std::uint32_t>& points) {
    const auto intervals = std::bit_floor(static_cast<std::uint32_t>(points.size()));
    std::vector<std::uint32_t> counts(intervals);
    for (std::uint32_t i = 0; i < intervals; ++i) {
      ++counts[std::uint64_t{points[i]} * intervals >> kBits];
    }
    return counts;
  }

  Extent extent_;
  std::vector<std::uint32_t> directions_;
  std::vector<float> points_;
};

const Registration kRegistration({
    .name = "sobol-qrng",
    .summary = "Quasi-random points in many dimensions by the sequence of Sobol",
    .papers = {"storage Table 4.2", "storage Table 4.3"},
    .kernels = {{"sobol_points", {kThreads}}},
    .make = make_program<SobolQrng>,
});

}  // namespace
}  // namespace heddle::workload::sobol_qrng_host
