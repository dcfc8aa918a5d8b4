#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/inputs/noise.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::dwt_haar1d_host {
namespace {

/// The logarithm of the length to base 2, which is the number of levels. The last launch has fewer
/// levels than a block can compute.
int log_length_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 14;
    case Size::small:
      return 19;
    case Size::medium:
      return 21;
    case Size::large:
    case Size::paper:
      break;
  }
  return 24;
}

/// A signal like a measurement: it wanders, jumps now and then, and has noise.
std::vector<float> signal_of(std::size_t length, std::uint64_t seed) {
  constexpr std::uint32_t kSamplesPerJump = 3000;
  Random random(seed);
  const Noise wandering(random);
  std::vector<float> samples(length);
  double base = 0;
  for (std::size_t i = 0; i < length; ++i) {
    if (random.below(kSamplesPerJump) == 0) base = random.uniform(-2, 2);
    const double wave = wandering.at(static_cast<double>(i) / 500, 0.5) - 0.5;
    samples[i] = static_cast<float>(base + wave + random.uniform(-0.1, 0.1));
  }
  return samples;
}

class DwtHaar1d final : public HostProgram {
 public:
  DwtHaar1d(Size size, std::uint64_t seed)
      : levels_(log_length_of(size)), samples_(signal_of(std::size_t{1} << levels_, seed)) {}

  void run(Gpu& device) override {
    const std::size_t length = samples_.size();
    auto from = device.upload(samples_, "samples");
    auto to = device.allocate<float>(length >> std::min(kMostLevels, levels_), "averages");
    const auto coefficients = device.allocate<float>(length, "coefficients");
    for (int remaining_levels = levels_; remaining_levels > 0;) {
      const int levels = std::min(remaining_levels, kMostLevels);
      const int blocks = 1 << (remaining_levels - levels);
      // The last average is the first coefficient.
      device.launch("haar_decompose",
                    {.grid = {static_cast<std::uint32_t>(blocks)}, .block = {kThreads}}, from,
                    coefficients, remaining_levels == levels ? coefficients : to,
                    1 << remaining_levels, levels);
      std::swap(from, to);
      remaining_levels -= levels;
    }
    coefficients_ = device.download(coefficients);
  }

  /// Computes every coefficient directly from the signal: the difference of the sums over two
  /// halves of its interval, in double precision.
  CheckResult check() const override {
    std::vector<double> sums{0}, magnitudes{0};
    for (const double sample : samples_) {
      sums.push_back(sums.back() + sample);
      magnitudes.push_back(magnitudes.back() + std::abs(sample));
    }
    const std::size_t length = samples_.size();
    std::vector<double> got, want;
    const auto compare = [&](std::size_t coefficient, double sum, double size, int level) {
      // Differences are taken as shares of the terms' magnitudes.
      const double scale = std::exp2(-level / 2.0);
      got.push_back(static_cast<double>(coefficients_[coefficient]) / (scale * size));
      want.push_back(sum / size);
    };
    compare(0, sums[length], magnitudes[length], levels_);
    for (int level = 1; level <= levels_; ++level) {
      const std::size_t stretch = std::size_t{1} << level;
      for (std::size_t begin = 0; begin < length; begin += stretch) {
        const std::size_t middle = begin + stretch / 2, end = begin + stretch;
        compare((length + begin) / stretch, 2 * sums[middle] - sums[begin] - sums[end],
                magnitudes[end] - magnitudes[begin], level);
      }
    }
    CheckResult check;
    check.close("coefficient / the magnitudes in it", got, want,
                {.absolute = 3 * levels_ * 0x1p-24,
                 .reason = "a sum, a product and the rounded root of two, by 2^-24 a level"});
    return check;
  }

 private:
  int levels_;
  std::vector<float> samples_, coefficients_;
};

const Registration kRegistration({
    .name = "dwt-haar1d",
    .summary = "The Haar wavelet transform of a long signal",
    .papers = {"storage Table 4.2"},
    .kernels = {{"haar_decompose", {kThreads}}},
    .make = make_program<DwtHaar1d>,
});

}  // namespace
}  // namespace heddle::workload::dwt_haar1d_host
