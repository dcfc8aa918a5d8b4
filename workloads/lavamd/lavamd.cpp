#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::lavamd_host {
namespace {

using lavamd::Box;
using lavamd::Force;
using lavamd::kBlock;
using lavamd::Particle;

/// A potential falls to e^-9 across a box, whose side is 1.
constexpr double kSteepness = 9;

struct Extent {
  int x, y, z;  ///< Boxes along each axis.
  int per_box;  ///< Particles.
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {2, 2, 1, 36};
    case Size::small:
      return {2, 2, 2, 100};
    case Size::medium:
      return {3, 3, 3, 100};
    case Size::large:
    case Size::paper:
      break;
  }
  return {5, 5, 5, 100};
}

class LavaMd final : public HostProgram {
 public:
  LavaMd(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    for (int z = 0; z < extent_.z; ++z) {
      for (int y = 0; y < extent_.y; ++y) {
        for (int x = 0; x < extent_.x; ++x) {
          boxes_.push_back(box_at(x, y, z));
          for (int i = 0; i < extent_.per_box; ++i) {
            const double px = x + random.uniform(), py = y + random.uniform(),
                         pz = z + random.uniform();
            particles_.push_back({(px * px + py * py + pz * pz) / 2, px, py, pz});
            charges_.push_back(random.uniform(-1, 1));
          }
        }
      }
    }
  }

  void run(Gpu& device) override {
    const auto boxes = device.upload(boxes_, "boxes");
    const auto particles = device.upload(particles_, "particles");
    const auto charges = device.upload(charges_, "charges");
    const auto forces = device.allocate<Force>(particles_.size(), "forces");
    device.launch("particle_forces",
                  {.grid = {static_cast<std::uint32_t>(boxes_.size())}, .block = {kBlock}}, boxes,
                  particles, charges, forces, extent_.per_box, kSteepness);
    forces_ = device.download(forces);
  }

  /// Visits each pair of particles in touching boxes once.
  CheckResult check() const override {
    std::vector<Force> want(particles_.size(), Force{}), terms(particles_.size(), Force{});
    for (std::size_t one = 0; one < boxes_.size(); ++one) {
      for (std::size_t other = 0; other <= one; ++other) {
        if (boxes_touch(one, other)) add_forces(one, other, want, terms);
      }
    }
    std::vector<double> got_shares, want_shares;
    for (std::size_t i = 0; i < want.size(); ++i) {
      for (double Force::*const part : {&Force::potential, &Force::x, &Force::y, &Force::z}) {
        got_shares.push_back(forces_[i].*part / (terms[i].*part));
        want_shares.push_back(want[i].*part / (terms[i].*part));
      }
    }
    CheckResult check;
    check.close("forces / their terms", got_shares, want_shares, bound());
    return check;
  }

 private:
  Box box_at(int x, int y, int z) const {
    Box box{.count = 1, .neighbours = {number_of(x, y, z)}};
    for (int nz = std::max(z - 1, 0); nz <= std::min(z + 1, extent_.z - 1); ++nz) {
      for (int ny = std::max(y - 1, 0); ny <= std::min(y + 1, extent_.y - 1); ++ny) {
        for (int nx = std::max(x - 1, 0); nx <= std::min(x + 1, extent_.x - 1); ++nx) {
          const int number = number_of(nx, ny, nz);
          if (number != box.neighbours[0]) box.neighbours[box.count++] = number;
        }
      }
    }
    return box;
  }
  int number_of(int x, int y, int z) const { return (z * extent_.y + y) * extent_.x + x; }

  bool boxes_touch(std::size_t one, std::size_t other) const {
    // A box is known by the place of its first particle.
    const auto per_box = static_cast<std::size_t>(extent_.per_box);
    const Particle &a = particles_[one * per_box], &b = particles_[other * per_box];
    return std::abs(std::floor(a.x) - std::floor(b.x)) <= 1 &&
           std::abs(std::floor(a.y) - std::floor(b.y)) <= 1 &&
           std::abs(std::floor(a.z) - std::floor(b.z)) <= 1;
  }

  /// Adds the forces between the particles of two boxes, or of one, and each particle's own
  /// potential. Adds the magnitudes of the terms to `terms`.
  void add_forces(std::size_t one, std::size_t other, std::vector<Force>& sums,
                  std::vector<Force>& terms) const {
    const auto per_box = static_cast<std::size_t>(extent_.per_box);
    for (std::size_t i = one * per_box; i < (one + 1) * per_box; ++i) {
      for (std::size_t k = other * per_box; k < (other + 1) * per_box && k <= i; ++k) {
        const double dx = particles_[i].x - particles_[k].x;
        const double dy = particles_[i].y - particles_[k].y;
        const double dz = particles_[i].z - particles_[k].z;
        const double near = std::exp(-kSteepness * (dx * dx + dy * dy + dz * dz));
        const auto add = [&](std::size_t to, double potential, double sign) {
          const double pull = 2 * kSteepness * potential * sign;
          sums[to].potential += potential;
          sums[to].x += pull * dx;
          sums[to].y += pull * dy;
          sums[to].z += pull * dz;
          terms[to].potential += std::abs(potential);
          terms[to].x += std::abs(pull * dx);
          terms[to].y += std::abs(pull * dy);
          terms[to].z += std::abs(pull * dz);
        };
        add(i, charges_[k] * near, 1);
        if (i != k) add(k, charges_[i] * near, -1);
      }
    }
  }

  /// The error bound, with u = 2^-53 and R the greatest distance of a particle from the origin. The
  /// kernel computes half the square of a distance from halves of squares of up to R^2 / 2 and a
  /// product of up to R^2, which costs 7 u R^2. The exponent multiplies that by twice the
  /// steepness. The exponent is below 12 times the steepness and is rounded twice. The exponential,
  /// the factors and the distance cost 8 u, and every addition one. The host's roundings are no
  /// greater.
  Bound bound() const {
    const double square = extent_.x * extent_.x + extent_.y * extent_.y + extent_.z * extent_.z;
    const double terms = static_cast<double>(::lavamd::kNeighbours) * extent_.per_box;
    return {.absolute = 2 * (14 * square * kSteepness + 24 * kSteepness + 8 + terms) * 0x1p-53,
            .reason =
                "squared distances from squared coordinates, and a rounding of 2^-53 for each "
                "term, as shares of all terms' magnitudes"};
  }

  Extent extent_;
  std::vector<Box> boxes_;
  std::vector<Particle> particles_;  ///< Box by box.
  std::vector<double> charges_;
  std::vector<Force> forces_;
};

const Registration kRegistration({
    .name = "lavamd",
    .summary = "Forces between particles in boxes, from those in the boxes around, in doubles",
    .papers = {"simt Section 5.5"},
    .kernels = {{"particle_forces", {kBlock}}},
    .make = make_program<LavaMd>,
});

}  // namespace
}  // namespace heddle::workload::lavamd_host
