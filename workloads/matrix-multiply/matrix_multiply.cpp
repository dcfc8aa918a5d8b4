#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::matrix_multiply_host {
namespace {

constexpr std::uint32_t kResidentBlock = 1024;

/// C has `rows` x `columns` elements; `depth` is the length of A's rows and B's columns.
struct Extent {
  std::size_t rows, columns, depth;
};

/// Sizes that are not multiples of the tile, except `medium` and `paper`.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {50, 70, 57};
    case Size::small:
      return {200, 170, 150};
    case Size::medium:
      return {400, 320, 352};
    case Size::large:
      return {650, 700, 610};
    case Size::paper:
      return {80, 128, 48};  // simt Table 3: (128, 80)
  }
  return {};
}

class MatrixMultiply final : public HostProgram {
 public:
  MatrixMultiply(GridChoice grid, Size size, std::uint64_t seed)
      : grid_(grid), extent_(extent_of(size)) {
    Random random(seed);
    a_.resize(extent_.rows * extent_.depth);
    b_.resize(extent_.depth * extent_.columns);
    for (float& value : a_) value = random.uniform_float(-1, 1);
    for (float& value : b_) value = random.uniform_float(-1, 1);
  }

  void run(Gpu& device) override {
    const Array<float> a = device.upload(a_, "a");
    const Array<float> b = device.upload(b_, "b");
    const Array<float> c = device.allocate<float>(extent_.rows * extent_.columns, "c");
    const bool is_resident = grid_ == GridChoice::resident;
    device.launch(is_resident ? "matrix_multiply_resident" : "matrix_multiply",
                  is_resident
                      ? device.resident_shape("matrix_multiply_resident", kResidentBlock, c.count)
                      : tiled_shape(),
                  a, b, c, static_cast<int>(extent_.rows), static_cast<int>(extent_.columns),
                  static_cast<int>(extent_.depth));
    c_ = device.download(c);
  }

  CheckResult check() const override {
    // Computes C row by row, as sums of B's rows. Each addition rounds the partial sum, so errors
    // are taken as shares of the sum of an element's partial sums.
    std::vector<double> got, want;
    for (std::size_t i = 0; i < extent_.rows; ++i) {
      std::vector<double> sums(extent_.columns), magnitudes(extent_.columns);
      for (std::size_t k = 0; k < extent_.depth; ++k) {
        const double factor = a_[i * extent_.depth + k];
        const float* row = &b_[k * extent_.columns];
        for (std::size_t j = 0; j < extent_.columns; ++j) {
          sums[j] += factor * static_cast<double>(row[j]);
          magnitudes[j] += std::abs(sums[j]);
        }
      }
      for (std::size_t j = 0; j < extent_.columns; ++j) {
        got.push_back(static_cast<double>(c_[i * extent_.columns + j]) / magnitudes[j]);
        want.push_back(sums[j] / magnitudes[j]);
      }
    }
    CheckResult check;
    check.close("c / its partial sums", got, want,
                {.absolute = 1.001 * 0x1p-24,
                 .reason = "every multiply-add rounds the partial sum once, by 2^-24"});
    return check;
  }

 private:
  LaunchShape tiled_shape() const {
    const auto tiles = [](std::size_t elements) {
      return static_cast<std::uint32_t>((elements + kTile - 1) / kTile);
    };
    return {.grid = {tiles(extent_.columns), tiles(extent_.rows)}, .block = {kTile, kTile}};
  }

  GridChoice grid_;
  Extent extent_;
  std::vector<float> a_, b_, c_;
};

const Registration kRegistration({
    .name = "matrix-multiply",
    .summary = "The product of two matrices of floats, by tiles in shared memory",
    .papers = {"large-warps Table 2", "warpman Table 2", "simt Table 3", "simt Table 7"},
    .kernels = {{"matrix_multiply",
                 {kTile, kTile},
                 PaperResources{.source = "warpman Table 2",
                                .registers_per_thread = 24,
                                .shared_bytes_per_block = 2 * 1024,
                                .blocks_per_sm = 5}}},
    .has_paper_size = true,
    .make = make_form<MatrixMultiply, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"matrix_multiply_resident", {kResidentBlock}}},
                             .make = make_form<MatrixMultiply, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::matrix_multiply_host
