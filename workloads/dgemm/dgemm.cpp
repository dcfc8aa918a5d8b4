#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::dgemm_host {
namespace {

using namespace dgemm;

constexpr double kAlpha = 0.75;
constexpr double kBeta = 0.5;
/// Elements are multiples of 1 / kParts and at most 1. The product of two elements is a multiple of
/// 1 / kParts^2. In this unit, the sum of 1024 such products is an integer below 2^63.
constexpr std::int64_t kParts = std::int64_t{1} << 26;

/// C has `rows` x `columns` elements; `depth` is the length of the sums, at most 1024.
struct Extent {
  std::size_t rows, columns, depth;
};

/// Sizes that are not multiples of the tile in any direction, except `medium`.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {70, 90, 37};
    case Size::small:
      return {250, 310, 190};
    case Size::medium:
      return {512, 448, 400};
    case Size::large:
    case Size::paper:
      break;
  }
  return {1000, 900, 810};
}

class Dgemm final : public HostProgram {
 public:
  Dgemm(Size size, std::uint64_t seed)
      : extent_(extent_of(size)),
        a_(extent_.rows * extent_.depth),
        b_(extent_.depth * extent_.columns),
        c_(extent_.rows * extent_.columns) {
    Random random(seed);
    for (std::vector<std::int64_t>* matrix : {&a_, &b_, &c_}) {
      for (std::int64_t& parts : *matrix) parts = random.below(2 * kParts) - kParts;
    }
  }

  void run(Gpu& device) override {
    const Array<double> a = device.upload(as_doubles(a_), "a");
    const Array<double> b = device.upload(as_doubles(b_), "b");
    const Array<double> c = device.upload(as_doubles(c_), "c");
    const auto blocks = [](std::size_t elements) {
      return static_cast<std::uint32_t>((elements + kSide - 1) / kSide);
    };
    device.launch(
        "dgemm_nn",
        {.grid = {blocks(extent_.rows), blocks(extent_.columns)}, .block = {kThreads, kThreads}}, a,
        b, c, static_cast<int>(extent_.rows), static_cast<int>(extent_.columns),
        static_cast<int>(extent_.depth), kAlpha, kBeta);
    result_ = device.download(c);
  }

  /// Computes the sums in integers, without rounding. The kernel's additions round partial sums, so
  /// errors are taken as shares of the sum of an element's partial sums.
  CheckResult check() const override {
    constexpr double kPart = 1 / static_cast<double>(kParts);
    const auto [rows, columns, depth] = extent_;
    std::vector<double> got, want;
    for (std::size_t column = 0; column < columns; ++column) {
      std::vector<std::int64_t> sums(rows);
      std::vector<double> magnitudes(rows);
      for (std::size_t k = 0; k < depth; ++k) {
        const std::int64_t factor = b_[column * depth + k];
        const std::int64_t* const column_of_a = &a_[k * rows];
        for (std::size_t row = 0; row < rows; ++row) {
          sums[row] += factor * column_of_a[row];
          magnitudes[row] += std::abs(static_cast<double>(sums[row]));
        }
      }
      for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t element = column * rows + row;
        const double product = kAlpha * kPart * kPart * static_cast<double>(sums[row]);
        const double before = kBeta * kPart * static_cast<double>(c_[element]);
        const double scale =
            kAlpha * kPart * kPart * magnitudes[row] + 4 * (std::abs(product) + std::abs(before));
        got.push_back(result_[element] / scale);
        want.push_back((product + before) / scale);
      }
    }
    CheckResult check;
    check.close(
        "c / its partial sums", got, want,
        {.absolute = 1.001 * 0x1p-53,
         .reason = "every multiply-add rounds the partial sum once, by 2^-53; the last step "
                   "rounds twice, on the device and in the check"});
    return check;
  }

 private:
  static std::vector<double> as_doubles(const std::vector<std::int64_t>& parts) {
    std::vector<double> values;
    values.reserve(parts.size());
    for (const std::int64_t value : parts) {
      values.push_back(static_cast<double>(value) / static_cast<double>(kParts));
    }
    return values;
  }

  Extent extent_;
  std::vector<std::int64_t> a_, b_, c_;  ///< In units of 1 / kParts.
  std::vector<double> result_;
};

const Registration kRegistration({
    .name = "dgemm",
    .summary = "A product of matrices of doubles, 4 x 4 elements a thread",
    .papers = {"storage Table 4.1", "storage Table 4.2", "storage Table 4.3", "storage Table 7.2"},
    .kernels = {{"dgemm_nn", {kThreads, kThreads}}},
    .make = make_program<Dgemm>,
});

}  // namespace
}  // namespace heddle::workload::dgemm_host
