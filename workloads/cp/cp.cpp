#include <algorithm>
#include <cmath>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::cp_host {
namespace {

using namespace cp;

/// The distance between points in angstroms.
constexpr float kSpacing = 0.1F;

/// The numbers of points, of atoms, and of atoms per launch. There are several launches.
struct Extent {
  std::size_t width, height, atoms, atoms_per_launch;
};

/// The plane is a multiple of the block, as the kernel requires.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {128, 16, 90, 40};
    case Size::small:
      return {256, 128, 200, 90};
    case Size::medium:
      return {384, 320, 350, 150};
    case Size::large:
    case Size::paper:
      break;
  }
  return {256, 256, 4500, kMostAtoms};
}

class CoulombicPotential final : public HostProgram {
 public:
  CoulombicPotential(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    for (std::size_t i = 0; i < extent_.atoms; ++i) {
      // No atom is in the plane, where the potential would be unbounded.
      const float height = random.uniform_float(0.3F, 4);
      // Positive and negative charges are balanced.
      const float charge = random.uniform_float(0.2F, 1);
      atoms_.push_back({random.uniform_float(0, side_x()), random.uniform_float(0, side_y()),
                        height * height, i % 2 == 0 ? charge : -charge});
    }
  }

  void run(Gpu& device) override {
    const LaunchShape shape{
        .grid = {static_cast<std::uint32_t>(extent_.width / (kBlockWidth * kEach)),
                 static_cast<std::uint32_t>(extent_.height / kBlockHeight)},
        .block = {kBlockWidth, kBlockHeight}};
    const Array<float> potential =
        device.allocate<float>(extent_.width * extent_.height, "potential");
    device.fill(potential, 0);
    for (std::size_t begin = 0; begin < atoms_.size(); begin += extent_.atoms_per_launch) {
      const std::size_t end = std::min(begin + extent_.atoms_per_launch, atoms_.size());
      const std::vector<Atom> launch_atoms(atoms_.data() + begin, atoms_.data() + end);
      device.write_symbol("atoms", launch_atoms);
      device.launch("coulombic_potential", shape, potential, kSpacing,
                    static_cast<int>(end - begin));
    }
    potential_ = device.download(potential);
  }

  /// Computes in double precision from the kernel's positions of atoms and points. The kernel's
  /// roundings, in units of 2^-24, are as follows. The position of a point and the steps to the
  /// next ones are each off by at most one of the plane's side, which moves the term in proportion
  /// to its share of the distance. The squared distance has three, which count half. The root has
  /// 2^-22.9. The addition rounds the sum so far.
  CheckResult check() const override {
    const std::size_t width = extent_.width;
    const double side = std::max(side_x(), side_y());
    std::vector<double> got, want;
    for (std::size_t row = 0; row < extent_.height; ++row) {
      std::vector<double> sums(width), errors(width);
      for (const Atom& atom : atoms_) {
        for (std::size_t column = 0; column < width; ++column) {
          const double distance = distance_of(atom, column, row);
          const double term = static_cast<double>(atom.charge) / distance;
          sums[column] += term;
          errors[column] +=
              std::abs(term) * (3.65 + (kEach + 3) * side / distance) + std::abs(sums[column]);
        }
      }
      for (std::size_t column = 0; column < width; ++column) {
        got.push_back(static_cast<double>(potential_[row * width + column]) / errors[column]);
        want.push_back(sums[column] / errors[column]);
      }
    }
    CheckResult check;
    check.close("potential / its roundings", got, want,
                {.absolute = 1.001 * 0x1p-24,
                 .reason = "roundings of 2^-24 in positions, distances, roots and sums"});
    return check;
  }

  /// Positive potential is red, negative is blue.
  std::optional<Picture> picture() const override {
    Picture picture{static_cast<int>(extent_.width), static_cast<int>(extent_.height), {}};
    for (const float potential : potential_) {
      const double v = static_cast<double>(potential);
      const auto level = static_cast<std::uint32_t>(255 / (1 + std::abs(v)));
      picture.pixels.push_back(v > 0 ? rgb(255, level, level) : rgb(level, level, 255));
    }
    return picture;
  }

 private:
  float side_x() const { return static_cast<float>(extent_.width) * kSpacing; }
  float side_y() const { return static_cast<float>(extent_.height) * kSpacing; }

  static double distance_of(const Atom& atom, std::size_t column, std::size_t row) {
    const double spacing = kSpacing;
    const double dx = static_cast<double>(column) * spacing - static_cast<double>(atom.x);
    const double dy = static_cast<double>(row) * spacing - static_cast<double>(atom.y);
    return std::sqrt(dx * dx + dy * dy + static_cast<double>(atom.height_squared));
  }

  Extent extent_;
  std::vector<Atom> atoms_;
  std::vector<float> potential_;
};

const Registration kRegistration({
    .name = "cp",
    .summary = "The electrostatic potential of atoms on the points of a plane",
    .papers = {"storage Table 4.2"},
    .kernels = {{"coulombic_potential", {kBlockWidth, kBlockHeight}}},
    .has_picture = true,
    .make = make_program<CoulombicPotential>,
});

}  // namespace
}  // namespace heddle::workload::cp_host
