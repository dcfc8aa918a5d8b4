#include <cmath>
#include <span>
#include <vector>

#include "kernel.h"
#include "transform.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::fft_host {
namespace {

using fft::Complex;
using fft::ComplexFloat;

std::uint32_t transforms_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 25;
    case Size::small:
      return 600;
    case Size::medium:
      return 5'500;
    case Size::large:
      return 40'000;
    case Size::paper:
      return 128;  // simt Table 3: (128, 128), which is 128 blocks
  }
  return 0;
}

/// A random number of modulus 1.
Complex random_phase(Random& random) {
  for (;;) {
    // Separate statements, because the evaluation order of a call's arguments is unspecified.
    const double imaginary = random.uniform(-1, 1);
    const Complex value(random.uniform(-1, 1), imaginary);
    const double square = std::norm(value);
    if (square > 0.01 && square <= 1) return value / std::sqrt(square);
  }
}

/// Adds a tone to the signal; the frequency of a chirp rises or falls linearly. Each sample is
/// computed from the previous one by multiplications, which are the same on every host, unlike
/// sines.
void add_tone(std::span<Complex> signal, double amplitude, bool chirp, Random& random) {
  Complex value = amplitude * random_phase(random);
  Complex step = random_phase(random);
  Complex step_of_step(1, chirp ? random.uniform(-0.006, 0.006) : 0);
  step_of_step /= std::sqrt(std::norm(step_of_step));
  for (Complex& sample : signal) {
    sample += value;
    value *= step;
    step *= step_of_step;
  }
}

class Fft final : public HostProgram {
 public:
  Fft(Size size, std::uint64_t seed) : transforms_(transforms_of(size)) {
    Random random(seed);
    input_.reserve(transforms_ * kPoints);
    std::vector<Complex> signal(kPoints);
    for (std::uint32_t i = 0; i < transforms_; ++i) {
      for (Complex& sample : signal) {
        sample = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
      }
      add_tone(signal, 0.5, false, random);
      add_tone(signal, 0.2, false, random);
      add_tone(signal, 1, true, random);
      for (const Complex& sample : signal) input_.emplace_back(sample);
    }
  }

  void run(Gpu& device) override {
    const Array<ComplexFloat> input = device.upload(input_, "input");
    const Array<ComplexFloat> output = device.allocate<ComplexFloat>(input_.size(), "output");
    device.launch("fft512", {.grid = {transforms_}, .block = {kThreads}}, input, output);
    output_ = device.download(output);
  }

  /// A rounding anywhere reaches every output, in proportion to the whole. Differences are
  /// therefore taken as shares of the root of the sum of all squares.
  CheckResult check() const override {
    const std::vector<Complex> roots = fft::make_roots(kPoints);
    const std::vector<Complex> input(input_.begin(), input_.end());
    std::vector<Complex> result(kPoints);
    std::vector<double> got, want;
    got.reserve(2 * output_.size());
    want.reserve(2 * output_.size());
    for (std::size_t first = 0; first < input_.size(); first += kPoints) {
      fft::transform(&input[first], 1, result, roots);
      double squares = 0;
      for (const Complex& value : result) squares += std::norm(value);
      const double scale = 1 / std::sqrt(squares);
      for (std::size_t i = 0; i < kPoints; ++i) {
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
        {.absolute = (32 + 16) * 0x1p-24,
         .reason = "two factors of 2^-20.5 in either part, from the fast sine and cosine, and 16 "
                   "roundings of 2^-24, as shares of the root of the sum of squares"});
    return check;
  }

 private:
  std::uint32_t transforms_;
  std::vector<ComplexFloat> input_, output_;
};

const Registration kRegistration({
    .name = "fft",
    .summary = "Fourier transforms of 512 complex numbers each",
    .papers = {"simt Table 3"},
    .kernels = {{"fft512", {kThreads}}},
    .has_paper_size = true,
    .make = make_program<Fft>,
});

}  // namespace
}  // namespace heddle::workload::fft_host
