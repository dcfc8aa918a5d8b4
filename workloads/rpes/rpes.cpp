#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "kernel.h"
#include "repulsion_reference.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::rpes_host {
namespace {

using ::rpes::kPrimitives;
using ::rpes::kThreads;
using ::rpes::Quadruple;
using ::rpes::Shell;

/// The number of atoms, and the side of their cube in bohrs.
struct Extent {
  std::size_t atoms;
  double side;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {4, 3.5};
    case Size::small:
      return {10, 4.7};
    case Size::medium:
      return {15, 5.4};
    case Size::large:
    case Size::paper:
      break;
  }
  return {22, 6.2};
}

/// Slater's 1s orbital of exponent 1 by three Gaussian functions (STO-3G; Hehre, Stewart, Pople).
constexpr std::array<double, kPrimitives> kExponents{2.22766, 0.405771, 0.109818};
constexpr std::array<double, kPrimitives> kCoefficients{0.154329, 0.535328, 0.444635};
/// The factors by which orbitals in molecules are narrower than that of exponent 1.
constexpr double kHydrogen = 1.24, kHelium = 1.69;

Shell shell_at(double x, double y, double z, double narrowness) {
  Shell shell{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), {}, {}};
  for (std::size_t i = 0; i < kPrimitives; ++i) {
    const double exponent = kExponents.at(i) * narrowness * narrowness;
    // The factor (2 a / pi)^(3/4) makes the square's integral 1.
    const double scale = 2 * exponent / std::numbers::pi;
    shell.exponents[i] = static_cast<float>(exponent);
    shell.coefficients[i] =
        static_cast<float>(kCoefficients.at(i) * std::sqrt(scale * std::sqrt(scale)));
  }
  return shell;
}

/// A random molecule; no two atoms are closer than they are in real molecules.
std::vector<Shell> random_molecule(const Extent& extent, Random& random) {
  constexpr double kClosest = 1.2;
  std::vector<Shell> shells;
  while (shells.size() < extent.atoms) {
    const double x = random.uniform(0, extent.side), y = random.uniform(0, extent.side),
                 z = random.uniform(0, extent.side);
    const bool is_free = std::ranges::all_of(shells, [&](const Shell& other) {
      const double dx = x - static_cast<double>(other.x), dy = y - static_cast<double>(other.y),
                   dz = z - static_cast<double>(other.z);
      return dx * dx + dy * dy + dz * dz >= kClosest * kClosest;
    });
    if (is_free) shells.push_back(shell_at(x, y, z, random.below(3) == 0 ? kHelium : kHydrogen));
  }
  return shells;
}

/// All quadruples of shells with different integrals: (ab|cd) equals (ba|cd), (ab|dc) and (cd|ab),
/// so one of them is enough.
std::vector<Quadruple> different_quadruples(int shells) {
  std::vector<Quadruple> quadruples;
  for (int a = 0; a < shells; ++a) {
    for (int b = 0; b <= a; ++b) {
      for (int c = 0; c <= a; ++c) {
        for (int d = 0; d <= (c == a ? b : c); ++d) quadruples.push_back({a, b, c, d});
      }
    }
  }
  return quadruples;
}

class Rpes final : public HostProgram {
 public:
  Rpes(Size size, std::uint64_t seed) {
    Random random(seed);
    shells_ = random_molecule(extent_of(size), random);
    quadruples_ = different_quadruples(static_cast<int>(shells_.size()));
  }

  void run(Gpu& device) override {
    const auto shells = device.upload(shells_, "shells");
    const auto quadruples = device.upload(quadruples_, "quadruples");
    const auto integrals = device.allocate<float>(quadruples_.size(), "integrals");
    device.launch("repulsion",
                  {.grid = {static_cast<std::uint32_t>(quadruples_.size())}, .block = {kThreads}},
                  shells, quadruples, integrals);
    integrals_ = device.download(integrals);
  }

  CheckResult check() const override {
    std::vector<double> got, want;
    for (std::size_t i = 0; i < quadruples_.size(); ++i) {
      const Quadruple& quadruple = quadruples_[i];
      const auto shell = [&](int which) { return shells_[static_cast<std::size_t>(which)]; };
      const rpes::Estimate integral = rpes::repulsion(shell(quadruple.a), shell(quadruple.b),
                                                      shell(quadruple.c), shell(quadruple.d));
      // If all terms are negligible, nothing is rounded.
      const double scale = std::max(integral.error, 1e-30);
      got.push_back(static_cast<double>(integrals_[i]) / scale);
      want.push_back(integral.value / scale);
    }
    CheckResult check;
    check.close("integral / its roundings", got, want,
                {.absolute = 0x1p-24, .reason = "roundings of 2^-24 in 81 terms"});
    return check;
  }

 private:
  std::vector<Shell> shells_;
  std::vector<Quadruple> quadruples_;
  std::vector<float> integrals_;
};

const Registration kRegistration({
    .name = "rpes",
    .summary = "How electrons of a molecule repel each other: integrals by Rys' quadrature",
    .papers = {"storage Table 4.2"},
    .kernels = {{"repulsion", {kThreads}}},
    .make = make_program<Rpes>,
});

}  // namespace
}  // namespace heddle::workload::rpes_host
