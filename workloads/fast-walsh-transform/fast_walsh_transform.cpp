#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::fast_walsh_transform_host {
namespace {

constexpr std::uint32_t kMultiplyBlocks = 128;
constexpr std::size_t kFilterLength = 128;

/// The number of bits of an index. It leaves an even number of bits to the passes through global
/// memory, which take two each.
int log_length_of(Size size) {
  switch (size) {
    case Size::tiny:
      return kLogSharedLength + 2;
    case Size::small:
      return kLogSharedLength + 6;
    case Size::medium:
      return kLogSharedLength + 8;
    case Size::large:
    case Size::paper:
      break;
  }
  return kLogSharedLength + 12;
}

std::vector<float> random_values(std::size_t count, Random& random) {
  std::vector<float> values(count);
  for (float& value : values) value = random.uniform_float(-1, 1);
  return values;
}

double sum_of_squares(const std::vector<float>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

class FastWalshTransform final : public HostProgram {
 public:
  FastWalshTransform(Size size, std::uint64_t seed)
      : log_length_(log_length_of(size)), length_(std::size_t{1} << log_length_) {
    Random random(seed);
    data_ = random_values(length_, random);
    filter_ = random_values(kFilterLength, random);
  }

  /// Computes a convolution: transforms both, multiplies, transforms back.
  void run(Gpu& device) override {
    const auto data = device.upload(data_, "data");
    const auto filter = device.allocate<float>(length_, "filter");
    device.fill(filter, 0);
    device.write(filter, filter_);
    transform(device, data);
    transform(device, filter);
    // The transform is its own inverse, except for a factor of the length.
    device.launch("multiply_spectra", {.grid = {kMultiplyBlocks}, .block = {kMultiplyBlock}}, data,
                  filter, static_cast<int>(length_), 1.0F / static_cast<float>(length_));
    transform(device, data);
    result_ = device.download(data);
  }

  /// Computes the convolution from its definition, result[i] = sum over j of filter[j] * data[i xor
  /// j], in double precision.
  CheckResult check() const override {
    // The typical magnitude of results, and the effect of roundings in the spectra on them.
    const double deviation = std::sqrt(sum_of_squares(data_) / static_cast<double>(length_)) *
                             std::sqrt(sum_of_squares(filter_));
    std::vector<double> got, want;
    got.reserve(length_);
    want.reserve(length_);
    for (std::size_t i = 0; i < length_; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < kFilterLength; ++j) {
        sum += static_cast<double>(filter_[j]) * static_cast<double>(data_[i ^ j]);
      }
      got.push_back(static_cast<double>(result_[i]) / deviation);
      want.push_back(sum / deviation);
    }
    // Each bit of the three transforms, and the product, rounds each value by at most 2^-24 of
    // itself. The transform keeps the root mean square. It spreads errors over all results, where
    // they add up like independent errors.
    const double rounding = 0x1p-24 * std::sqrt(3 * log_length_ + 1);
    CheckResult check;
    check.close("result / its deviation", got, want,
                {.absolute = 10 * rounding,
                 .reason = "ten deviations of what three roundings of 2^-24 a bit of the index, "
                           "and one more, add up to"});
    return check;
  }

 private:
  void transform(Gpu& device, const Array<float>& values) const {
    const auto length = static_cast<std::uint32_t>(length_);
    for (std::uint32_t stride = length / 4; stride >= kSharedLength; stride /= 4) {
      device.launch("walsh_global",
                    {.grid = {length / (4 * kGlobalBlock)}, .block = {kGlobalBlock}}, values,
                    static_cast<int>(stride));
    }
    device.launch("walsh_shared", {.grid = {length / kSharedLength}, .block = {kSharedBlock}},
                  values);
  }

  int log_length_;
  std::size_t length_;
  std::vector<float> data_, filter_, result_;
};

const Registration kRegistration({
    .name = "fast-walsh-transform",
    .summary = "A dyadic convolution by transforms of Walsh and Hadamard",
    .papers = {"storage Table 4.2", "preexec Table 2"},
    .kernels = {{"walsh_global", {kGlobalBlock}},
                {"walsh_shared", {kSharedBlock}},
                {"multiply_spectra", {kMultiplyBlock}}},
    .make = make_program<FastWalshTransform>,
});

}  // namespace
}  // namespace heddle::workload::fast_walsh_transform_host
