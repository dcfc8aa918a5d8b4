#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::lud_host {
namespace {

/// A multiple of the tile's side, as the kernels require.
std::size_t side_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 64;
    case Size::small:
      return 256;
    case Size::medium:
      return 512;
    case Size::large:
    case Size::paper:
      break;
  }
  return 1024;
}

class Lud final : public HostProgram {
 public:
  /// In every row the diagonal outweighs the sum of the rest, so no pivoting is needed.
  Lud(Size size, std::uint64_t seed) : side_(side_of(size)), matrix_(side_ * side_) {
    Random random(seed);
    for (float& value : matrix_) value = random.uniform_float(-1, 1);
    for (std::size_t row = 0; row < side_; ++row) {
      float sum = 0;
      for (std::size_t column = 0; column < side_; ++column) {
        sum += std::abs(matrix_[row * side_ + column]);
      }
      float& diagonal = matrix_[row * side_ + row];
      diagonal = std::copysign(random.uniform_float(1, 1.5F) * sum, diagonal);
    }
  }

  void run(Gpu& device) override {
    const Array<float> matrix = device.upload(matrix_, "matrix");
    const int side = static_cast<int>(side_);
    for (int first = 0; first < side; first += kTile) {
      device.launch("lud_diagonal", {.grid = {1}, .block = {kTile}}, matrix, side, first);
      const auto tiles = static_cast<std::uint32_t>((side - first) / kTile - 1);
      if (tiles == 0) break;
      device.launch("lud_perimeter", {.grid = {tiles}, .block = {2 * kTile}}, matrix, side, first);
      device.launch("lud_internal", {.grid = {tiles, tiles}, .block = {kTile, kTile}}, matrix, side,
                    first);
    }
    factors_ = device.download(matrix);
  }

  /// L times U must be the matrix. An element of the product has as many terms as there are pivots
  /// before its row or column. Elimination rounds each term, its addition and its subtraction, and
  /// divides the last by the pivot. An element's error is therefore at most that many roundings of
  /// the sum of its terms' magnitudes (Higham, Accuracy and Stability of Numerical Algorithms,
  /// 9.3).
  CheckResult check() const override {
    std::vector<double> got, want;
    got.reserve(factors_.size());
    want.reserve(factors_.size());
    std::vector<double> product(side_), scale(side_);
    for (std::size_t row = 0; row < side_; ++row) {
      product.assign(side_, 0);
      scale.assign(side_, 0);
      for (std::size_t k = 0; k <= row; ++k) {
        const double left = k == row ? 1 : factors_[row * side_ + k];
        for (std::size_t column = k; column < side_; ++column) {
          const double term = left * static_cast<double>(factors_[k * side_ + column]);
          product[column] += term;
          scale[column] += std::abs(term);
        }
      }
      for (std::size_t column = 0; column < side_; ++column) {
        const double roundings = static_cast<double>(std::min(row, column) + 2);
        got.push_back(product[column] / (roundings * scale[column]));
        want.push_back(static_cast<double>(matrix_[row * side_ + column]) /
                       (roundings * scale[column]));
      }
    }
    CheckResult check;
    check.close("L U / its terms", got, want,
                {.absolute = 0x1p-24,
                 .reason = "a rounding of 2^-24 for each pivot before it and two, of all terms"});
    return check;
  }

 private:
  std::size_t side_;
  std::vector<float> matrix_, factors_;
};

const Registration kRegistration({
    .name = "lud",
    .summary = "A matrix as the product of a lower and an upper triangle, tile by tile",
    .papers = {"storage Table 4.2", "simt Section 5.5"},
    .kernels = {{"lud_diagonal", {kTile}},
                {"lud_perimeter", {2 * kTile}},
                {"lud_internal", {kTile, kTile}}},
    .make = make_program<Lud>,
});

}  // namespace
}  // namespace heddle::workload::lud_host
