#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::sgemm_host {
namespace {

using namespace sgemm;

constexpr float kAlpha = 0.75F;
constexpr float kBeta = 0.5F;

/// C has `rows` x `columns` elements; `depth` is the length of the sums.
struct Extent {
  std::size_t rows, columns, depth;
};

/// Multiples of the tile of C and of the depth of B's tile, as the kernel requires.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {kRows, 3 * kColumns, 15 * kDepth};
    case Size::small:
      return {3 * kRows, 15 * kColumns, 24 * kDepth};
    case Size::medium:
      return {5 * kRows, 30 * kColumns, 40 * kDepth};
    case Size::large:
    case Size::paper:
      break;
  }
  return {8 * kRows, 62 * kColumns, 132 * kDepth};
}

class Sgemm final : public HostProgram {
 public:
  Sgemm(Size size, std::uint64_t seed)
      : extent_(extent_of(size)),
        a_(extent_.rows * extent_.depth),
        b_(extent_.columns * extent_.depth),
        c_(extent_.rows * extent_.columns) {
    Random random(seed);
    for (std::vector<float>* matrix : {&a_, &b_, &c_}) {
      for (float& value : *matrix) value = random.uniform_float(-1, 1);
    }
  }

  void run(Gpu& device) override {
    const Array<float> a = device.upload(a_, "a");
    const Array<float> b = device.upload(b_, "b");
    const Array<float> c = device.upload(c_, "c");
    const int rows = static_cast<int>(extent_.rows), columns = static_cast<int>(extent_.columns);
    device.launch("sgemm_nt",
                  {.grid = {static_cast<std::uint32_t>(rows / kRows),
                            static_cast<std::uint32_t>(columns / kColumns)},
                   .block = {kColumns, kDepth}},
                  a, rows, b, columns, c, rows, static_cast<int>(extent_.depth), kAlpha, kBeta);
    result_ = device.download(c);
  }

  /// Computes C column by column, as sums of A's columns. Each addition rounds the partial sum, so
  /// errors are taken as shares of the sum of an element's partial sums.
  CheckResult check() const override {
    const auto [rows, columns, depth] = extent_;
    std::vector<double> got, want;
    for (std::size_t column = 0; column < columns; ++column) {
      std::vector<double> sums(rows), magnitudes(rows);
      for (std::size_t k = 0; k < depth; ++k) {
        const double factor = b_[k * columns + column];
        const float* const column_of_a = &a_[k * rows];
        for (std::size_t row = 0; row < rows; ++row) {
          sums[row] += factor * static_cast<double>(column_of_a[row]);
          magnitudes[row] += std::abs(sums[row]);
        }
      }
      for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t element = column * rows + row;
        const double product = static_cast<double>(kAlpha) * sums[row];
        const double before = static_cast<double>(kBeta) * static_cast<double>(c_[element]);
        const double scale = static_cast<double>(kAlpha) * magnitudes[row] +
                             2 * (std::abs(product) + std::abs(before));
        got.push_back(static_cast<double>(result_[element]) / scale);
        want.push_back((product + before) / scale);
      }
    }
    CheckResult check;
    check.close("c / its partial sums", got, want,
                {.absolute = 1.001 * 0x1p-24,
                 .reason = "every multiply-add rounds the partial sum once, by 2^-24, and the "
                           "last step twice"});
    return check;
  }

 private:
  Extent extent_;
  std::vector<float> a_, b_, c_, result_;
};

const Registration kRegistration({
    .name = "sgemm",
    .summary = "A product of matrices of floats, a row of 16 elements a thread",
    .papers = {"storage Table 4.1", "preexec Table 2"},
    .kernels = {{"sgemm_nt", {kColumns, kDepth}}},
    .make = make_program<Sgemm>,
});

}  // namespace
}  // namespace heddle::workload::sgemm_host
