#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernel.h"
#include "transform.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::fft_2d_host {
namespace {

using fft::Complex;
using fft::ComplexFloat;

constexpr std::size_t kNumbers = std::size_t{kSide} * kSide;  ///< Of a square.

std::uint32_t squares_of(Size size) {
  switch (size) {
    case Size::tiny:
    case Size::paper:
      return 1;  // simt Table 3: (128, 128)
    case Size::small:
      return 8;
    case Size::medium:
      return 50;
    case Size::large:
      return 300;
  }
  return 0;
}

class Fft2d final : public HostProgram {
 public:
  /// A square has a block of ones, whose transform has side lobes of all sizes, and noise.
  Fft2d(Size size, std::uint64_t seed) : squares_(squares_of(size)) {
    Random random(seed);
    input_.reserve(squares_ * kNumbers);
    for (std::uint32_t square = 0; square < squares_; ++square) {
      const std::uint64_t columns = 1 + random.below(kSide), rows = 1 + random.below(kSide);
      for (std::uint64_t row = 0; row < kSide; ++row) {
        for (std::uint64_t column = 0; column < kSide; ++column) {
          const bool is_inside = row < rows && column < columns;
          // Separate statements, because the evaluation order of a call's arguments is unspecified.
          const float imaginary = static_cast<float>(random.uniform(-0.5, 0.5));
          const float real = static_cast<float>(random.uniform(-0.5, 0.5) + (is_inside ? 1 : 0));
          input_.emplace_back(real, imaginary);
        }
      }
    }
  }

  void run(Gpu& device) override {
    const Array<ComplexFloat> input = device.upload(input_, "input");
    const Array<ComplexFloat> columns = device.allocate<ComplexFloat>(input_.size(), "columns");
    const Array<ComplexFloat> output = device.allocate<ComplexFloat>(input_.size(), "output");
    const LaunchShape shape{.grid = {kSide, squares_}, .block = {kThreads}};
    device.launch("fft_lines", shape, input, columns);
    device.launch("fft_lines", shape, columns, output);
    output_ = device.download(output);
  }

  /// Differences are taken as shares of the norm, as those of fft are.
  CheckResult check() const override {
    std::vector<double> got, want;
    got.reserve(2 * output_.size());
    want.reserve(2 * output_.size());
    for (std::size_t first = 0; first < input_.size(); first += kNumbers) {
      const std::vector<Complex> result =
          transform_square({input_.begin() + static_cast<std::ptrdiff_t>(first),
                            input_.begin() + static_cast<std::ptrdiff_t>(first + kNumbers)});
      double squares = 0;
      for (const Complex& value : result) squares += std::norm(value);
      const double scale = 1 / std::sqrt(squares);
      for (std::size_t i = 0; i < kNumbers; ++i) {
        const Complex value = output_[first + i];
        got.push_back(scale * value.real());
        got.push_back(scale * value.imag());
        want.push_back(scale * result[i].real());
        want.push_back(scale * result[i].imag());
      }
    }
    CheckResult check;
    check.close(
        "output", got, want,
        {.absolute = (12 * 16 + 14 * 6) * 0x1p-24,
         .reason =
             "twelve factors of 2^-20.5 in either part, from the fast sine and cosine, and 14 "
             "passes of six roundings of 2^-24, as shares of the root of the sum of squares"});
    return check;
  }

 private:
  /// Transforms the lines and then the columns.
  static std::vector<Complex> transform_square(std::vector<Complex> square) {
    const std::vector<Complex> roots = fft::make_roots(kSide);
    std::vector<Complex> result(kNumbers), line(kSide);
    for (int direction = 0; direction < 2; ++direction) {
      for (std::size_t row = 0; row < kSide; ++row) {
        fft::transform(&square[row * kSide], 1, line, roots);
        for (std::size_t column = 0; column < kSide; ++column) {
          result[column * kSide + row] = line[column];
        }
      }
      std::swap(square, result);
    }
    return square;
  }

  std::uint32_t squares_;
  std::vector<ComplexFloat> input_, output_;
};

const Registration kRegistration({
    .name = "fft-2d",
    .folder = "fft",
    .summary = "Fourier transforms of squares of 128 x 128 complex numbers",
    .papers = {"simt Table 7"},
    .kernels = {{"fft_lines", {kThreads}}},
    .has_paper_size = true,
    .make = make_program<Fft2d>,
});

}  // namespace
}  // namespace heddle::workload::fft_2d_host
