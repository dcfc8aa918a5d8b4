#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/colour.h"
#include "cavity.h"
#include "kernel.h"
#include "workload/workload.h"

namespace heddle::workload::lbm_host {
namespace {

using lbm::Cavity;

struct Extent {
  int height, depth, steps;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {6, 5, 2};
    case Size::small:
      return {18, 15, 3};
    case Size::medium:
      return {30, 27, 5};
    case Size::large:
    case Size::paper:
      break;
  }
  return {45, 42, 10};
}

class LatticeBoltzmann final : public HostProgram {
 public:
  LatticeBoltzmann(Size size, std::uint64_t seed)
      : steps_(extent_of(size).steps),
        cavity_(extent_of(size).height, extent_of(size).depth, seed) {}

  void run(Gpu& device) override {
    const std::vector<float> at_rest = cavity_.at_rest();
    const auto kinds = device.upload(cavity_.kinds(), "kinds");
    auto from = device.upload(at_rest, "gas");
    auto to = device.upload(at_rest, "gas after");
    const LaunchShape shape{.grid = {static_cast<std::uint32_t>(cavity_.height()),
                                     static_cast<std::uint32_t>(cavity_.depth())},
                            .block = {::lbm::kWidth}};
    frames_ = {at_rest};
    for (int step = 0; step < steps_; ++step) {
      device.launch("lbm_step", shape, from.from(cavity_.margin()), to.from(cavity_.margin()),
                    kinds, static_cast<int>(cavity_.stride()));
      std::swap(from, to);
      frames_.push_back(device.download(from));
    }
  }

  /// Computes every step in double precision from the device's state before it. The roundings, with
  /// u = 2^-24, relative to a weight and the density: the density's sum, 18 u; products, 5 u. A
  /// component of the velocity has ten additions of a third of the density and a quotient, 5 u. Two
  /// components count three times, 30 u, or with their squares 45 u. Omega turns these 68 u into
  /// 133 u, and the rest is less than 7 u.
  CheckResult check() const override {
    CheckResult check;
    for (std::size_t step = 0; step + 1 < frames_.size(); ++step) {
      std::vector<double> got, want;
      const std::vector<Cavity::Part> parts = cavity_.after_step(frames_[step]);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        got.push_back(static_cast<double>(frames_[step + 1][i]) / parts[i].scale);
        want.push_back(parts[i].amount / parts[i].scale);
      }
      check.close("step " + std::to_string(step + 1) + ": part / its value at rest", got, want,
                  {.absolute = 140 * 0x1p-24,
                   .reason = "140 roundings of 2^-24 in a step, most in the velocity"});
    }
    return check;
  }

  /// The speed of the gas in the plane halfway through the box, with the lid at the top.
  std::optional<Picture> picture() const override {
    constexpr int kScale = 8;
    constexpr double kFastest = 0.06;
    Picture picture{::lbm::kWidth * kScale, cavity_.depth() * kScale, {}};
    for (int row = 0; row < picture.height; ++row) {
      for (int column = 0; column < picture.width; ++column) {
        const std::size_t cell =
            cavity_.cell(column / kScale, cavity_.height() / 2, cavity_.depth() - 1 - row / kScale);
        const auto [x, y, z] = cavity_.velocity(frames_.back(), cell);
        const bool is_solid = cavity_.kinds()[cell] == ::lbm::kSolid;
        picture.pixels.push_back(is_solid ? grey(0.6)
                                          : heat(std::sqrt(x * x + y * y + z * z) / kFastest));
      }
    }
    return picture;
  }

 private:
  int steps_;
  Cavity cavity_;
  std::vector<std::vector<float>> frames_;  ///< The gas before the first step and after each.
};

const Registration kRegistration({
    .name = "lbm",
    .summary = "Gas in a box under a moving lid, by the lattice Boltzmann method (D3Q19)",
    .papers = {"preexec Table 2"},
    .kernels = {{"lbm_step", {::lbm::kWidth}}},
    .has_picture = true,
    .make = make_program<LatticeBoltzmann>,
});

}  // namespace
}  // namespace heddle::workload::lbm_host
