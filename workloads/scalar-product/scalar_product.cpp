#include <algorithm>
#include <numeric>
#include <vector>

#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::scalar_product_host {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::uint32_t kMaxBlocks = 128;
constexpr std::size_t kAccumulators = 1024;

struct Shape {
  std::size_t pairs = 0;
  std::size_t length = 0;
};

/// Lengths are not multiples of the number of accumulators, except the paper's. That of `tiny` is
/// less, so that some accumulators stay empty. In the last round some blocks have no pair.
Shape shape_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {31, 900};
    case Size::small:
      return {500, 3'000};
    case Size::medium:
      return {3'000, 3'333};
    case Size::large:
      return {20'000, 2'500};
    case Size::paper:
      // simt Table 3 has 524288 elements. It does not say how many pairs these are.
      return {256, 2048};
  }
  return {};
}

class ScalarProduct final : public HostProgram {
 public:
  ScalarProduct(Size size, std::uint64_t seed) : shape_(shape_of(size)) {
    Random random(seed);
    a_.reserve(shape_.pairs * shape_.length);
    b_.reserve(shape_.pairs * shape_.length);
    // Portfolios: quantities and prices, both positive, most of them small.
    for (std::size_t i = 0; i < shape_.pairs * shape_.length; ++i) {
      const float part = random.uniform_float(0, 1);
      a_.push_back(1 + 1000 * part * part * part);
      b_.push_back(random.uniform_float(0.5F, 250));
    }
  }

  void run(Gpu& device) override {
    const Array<float> a = device.upload(a_, "a");
    const Array<float> b = device.upload(b_, "b");
    const Array<float> results = device.allocate<float>(shape_.pairs, "results");
    // Two pairs per block, or more.
    const std::uint32_t blocks =
        std::min(kMaxBlocks, (static_cast<std::uint32_t>(shape_.pairs) + 1) / 2);
    device.launch("scalar_product", {.grid = {blocks}, .block = {kBlock}}, a, b, results,
                  static_cast<int>(shape_.pairs), static_cast<int>(shape_.length));
    results_ = device.download(results);
  }

  CheckResult check() const override {
    std::vector<double> want;
    for (std::size_t pair = 0; pair < shape_.pairs; ++pair) {
      const auto x = a_.begin() + static_cast<std::ptrdiff_t>(pair * shape_.length);
      const auto y = b_.begin() + static_cast<std::ptrdiff_t>(pair * shape_.length);
      want.push_back(std::inner_product(
          x, x + static_cast<std::ptrdiff_t>(shape_.length), y, 0.0,
          [](double sum, double product) { return sum + product; },
          [](double left, double right) { return left * right; }));
    }
    // All terms are positive, so each rounding is at most 2^-24 of the result.
    const std::size_t fused = (shape_.length + kAccumulators - 1) / kAccumulators;
    const std::size_t roundings = fused + 10;
    CheckResult check;
    check.close("results", results_, want,
                {.relative = static_cast<double>(roundings) * 0x1p-24,
                 .reason = "positive terms, each rounded " + std::to_string(roundings) +
                           " times by 2^-24 of the sum"});
    return check;
  }

 private:
  Shape shape_;
  std::vector<float> a_, b_, results_;
};

const Registration kRegistration({
    .name = "scalar-product",
    .summary = "Scalar products of many pairs of vectors of floats",
    .papers = {"simt Table 3", "simt Table 7"},
    .kernels = {{"scalar_product", {kBlock}}},
    .has_paper_size = true,
    .make = make_program<ScalarProduct>,
});

}  // namespace
}  // namespace heddle::workload::scalar_product_host
