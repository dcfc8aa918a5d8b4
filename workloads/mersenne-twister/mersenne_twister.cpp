#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "kernel.h"
#include "matrices.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::mersenne_twister_host {
namespace {

constexpr std::uint32_t kBlock = 128;

struct Dimensions {
  std::uint32_t twisters;
  std::uint32_t numbers_each;  ///< Even.
};

Dimensions dimensions_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {.twisters = 300, .numbers_each = 62};
    case Size::small:
      return {.twisters = 1'000, .numbers_each = 500};
    case Size::medium:
      return {.twisters = 3'000, .numbers_each = 1'200};
    case Size::large:
      return {.twisters = 4'096, .numbers_each = 6'500};
    // simt Table 3 has 48,000,000 numbers; this is the least even share of them.
    case Size::paper:
      return {.twisters = 4'096, .numbers_each = 11'720};
  }
  return {};
}

/// The standard library's twister with one of our matrices.
template <std::uint32_t matrix>
using Engine = std::mersenne_twister_engine<std::uint32_t, 32, 19, 9, 1, matrix, 11, 0xffffffff, 7,
                                            0x9d2c5680, 15, 0xefc60000, 18, 1812433253>;

template <std::uint32_t matrix>
void generate(std::uint32_t seed, std::vector<std::uint32_t>& numbers, std::size_t first,
              std::size_t step) {
  Engine<matrix> engine(seed);
  for (std::size_t i = first; i < numbers.size(); i += step) numbers[i] = engine();
}

using Generate = void (*)(std::uint32_t, std::vector<std::uint32_t>&, std::size_t, std::size_t);

template <std::size_t... index>
constexpr std::array<Generate, sizeof...(index)> generators_of(std::index_sequence<index...>) {
  return {generate<kMatrices[index]>...};
}

constexpr std::array kGenerators = generators_of(std::make_index_sequence<kMatrices.size()>());

class MersenneTwister final : public HostProgram {
 public:
  MersenneTwister(Size size, std::uint64_t seed) : dimensions_(dimensions_of(size)) {
    Random random(seed);
    for (std::uint32_t i = 0; i < dimensions_.twisters; ++i) {
      twisters_.push_back({.matrix = kMatrices[i % kMatrices.size()],
                           .seed = static_cast<std::uint32_t>(random.next() >> 32)});
    }
  }

  void run(Gpu& device) override {
    const auto count = static_cast<int>(dimensions_.twisters);
    const auto numbers_each = static_cast<int>(dimensions_.numbers_each);
    const Array<Twister> twisters = device.upload(twisters_, "twisters");
    const Array<std::uint32_t> numbers = device.allocate<std::uint32_t>(
        std::size_t{dimensions_.twisters} * dimensions_.numbers_each, "numbers");
    const LaunchShape shape{.grid = {(dimensions_.twisters + kBlock - 1) / kBlock},
                            .block = {kBlock}};
    device.launch("random_integers", shape, twisters, count, numbers_each, numbers);
    integers_ = device.download(numbers);
    device.launch("box_muller", shape, numbers, count, numbers_each);
    normals_ = device.download(Array<float>{numbers.address, numbers.count});
  }

  CheckResult check() const override {
    std::vector<std::uint32_t> integers(integers_.size());
    for (std::size_t i = 0; i < twisters_.size(); ++i) {
      kGenerators[i % kGenerators.size()](twisters_[i].seed, integers, i, twisters_.size());
    }
    CheckResult check;
    check.exact("integers", integers_, integers);

    // Normal numbers as shares of their radius: cosines and sines.
    std::vector<double> got(normals_.size()), want(normals_.size());
    const std::size_t row = twisters_.size();
    for (std::size_t first = 0; first < normals_.size(); ++first) {
      if (first / row % 2 == 1) continue;
      const std::size_t second = first + row;
      // The logarithm's argument uses the same IEEE arithmetic on device and host, because one
      // rounding has a great effect near 1.
      const float uniform = (static_cast<float>(integers[first]) + 1.0F) * 0x1p-32F;
      const double angle = std::numbers::pi * 0x1p-31 * static_cast<std::int32_t>(integers[second]);
      const double radius = std::sqrt(-2 * std::log(static_cast<double>(uniform)));
      const double scale = radius > 0 ? 1 / radius : 1;
      want[first] = radius > 0 ? std::cos(angle) : 0;
      want[second] = radius > 0 ? std::sin(angle) : 0;
      got[first] = scale * normals_[first];
      got[second] = scale * normals_[second];
    }
    check.close("normals", got, want,
                {.absolute = 0x1p-20 * std::numbers::sqrt2 / 2 + 13 * 0x1p-24,
                 .reason = "2^-20.5 of the fast sine and 13 roundings of 2^-24, 9 of them the "
                           "angle's, as shares of the radius"});
    return check;
  }

 private:
  Dimensions dimensions_;
  std::vector<Twister> twisters_;
  std::vector<std::uint32_t> integers_;
  std::vector<float> normals_;
};

const Registration kRegistration({
    .name = "mersenne-twister",
    .summary = "Normal random numbers from many small Mersenne Twisters",
    .papers = {"simt Table 3"},
    .kernels = {{"random_integers", {kBlock}}, {"box_muller", {kBlock}}},
    .has_paper_size = true,
    .make = make_program<MersenneTwister>,
});

}  // namespace
}  // namespace heddle::workload::mersenne_twister_host
