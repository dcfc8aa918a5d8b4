#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "euler_reference.h"
#include "kernel.h"
#include "tetrahedra.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::cfd_host {
namespace {

using cfd::Cubes;
using cfd::Gas;
using ::cfd::kBlock;
using ::cfd::kVariables;

/// The share of a step by which each of its stages changes the state before it (Runge-Kutta).
constexpr std::array kShares{1.0F / 3, 1.0F / 2, 1.0F};

struct Extent {
  Cubes cubes;
  int steps;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {{5, 4, 4}, 2};
    case Size::small:
      return {{11, 9, 8}, 4};
    case Size::medium:
      return {{21, 16, 13}, 5};
    case Size::large:
    case Size::paper:
      break;
  }
  return {{33, 24, 21}, 10};
}

::cfd::Vector to_vector(const std::array<double, 3>& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// Air, in units in which its pressure and the speed of sound in it are 1.
::cfd::FarField random_wind(Random& random) {
  const double mach = random.uniform(0.7, 1.3);
  const std::array<double, 3> direction{1, random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2)};
  const double length =
      std::sqrt(direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
  // The squared speed of sound is gamma times pressure (1) divided by density, and is 1.
  const auto gamma = static_cast<double>(::cfd::kGamma);
  const double density = gamma;
  Gas gas{density};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    gas.at(axis + 1) = density * mach * direction.at(axis) / length;
  }
  gas[4] = 1 / (gamma - 1) + density * mach * mach / 2;
  std::array<Gas, 3> flux{};
  for (std::size_t axis = 0; axis < 3; ++axis) flux.at(axis) = cfd::flux_across(gas, axis);
  const auto flux_of = [&](std::size_t v) {
    return to_vector({flux[0].at(v), flux[1].at(v), flux[2].at(v)});
  };
  return {.state = {.density = static_cast<float>(gas[0]),
                    .momentum = to_vector({gas[1], gas[2], gas[3]}),
                    .energy = static_cast<float>(gas[4])},
          .flux = {.momentum_x = flux_of(1),
                   .momentum_y = flux_of(2),
                   .momentum_z = flux_of(3),
                   .energy = flux_of(4)}};
}

class Cfd final : public HostProgram {
 public:
  Cfd(Size size, std::uint64_t seed) : steps_(extent_of(size).steps) {
    Random random(seed);
    mesh_ = cfd::make_tetrahedra(extent_of(size).cubes, random);
    far_field_ = random_wind(random);
  }

  void run(Gpu& device) override {
    const std::size_t count = mesh_.count();
    const auto elements = static_cast<int>(count);
    const auto beyond = device.upload(mesh_.beyond, "beyond");
    const auto normals = device.upload(mesh_.normals, "normals");
    const auto surfaces = device.upload(mesh_.surfaces, "surfaces");
    const auto variables = device.allocate<float>(kVariables * count, "variables");
    const auto before = device.allocate<float>(kVariables * count, "variables before");
    const auto fluxes = device.allocate<float>(kVariables * count, "fluxes");
    const auto step_factors = device.allocate<float>(count, "step factors");
    device.write_symbol("far_field", far_field_);

    const LaunchShape shape{.grid = {static_cast<std::uint32_t>((count + kBlock - 1) / kBlock)},
                            .block = {kBlock}};
    const DeviceMesh mesh{beyond.address, normals.address, surfaces.address, elements};
    device.launch("initialize_variables", shape, variables, elements);
    for (int step = 0; step < steps_; ++step) {
      device.copy(before, variables);
      device.launch("compute_step_factor", shape, variables, surfaces, step_factors, elements);
      for (const float share : kShares) {
        device.launch("compute_flux", shape, mesh, variables, fluxes);
        device.launch("time_step", shape, before, variables, step_factors, fluxes, share, elements);
      }
    }
    result_ = device.download(variables);
  }

  /// The bound. A flux has some 12 roundings, and the sums over a face and over the four faces have
  /// 12 more. A step divides the flux by surface and speed and multiplies it by kCourant (one
  /// half), so half of these 24 roundings count. The new value adds two. The errors of earlier
  /// stages at most double these 14. Steps are stable, so their errors only add up.
  CheckResult check() const override {
    std::vector<Gas> gas(mesh_.count(), cfd::gas_of(far_field_.state));
    for (int step = 0; step < steps_; ++step) {
      const std::vector<Gas> before = gas;
      for (const float share : kShares) {
        gas = cfd::stage_after(mesh_, far_field_.state, before, gas, static_cast<double>(share));
      }
    }
    std::vector<double> want;
    double greatest = 0;
    for (std::size_t v = 0; v < kVariables; ++v) {
      for (const Gas& element : gas) {
        want.push_back(element.at(v));
        greatest = std::max(greatest, std::abs(element.at(v)));
      }
    }
    CheckResult check;
    check.close("variables", result_, want,
                {.absolute = 28.0 * steps_ * 0x1p-24 * greatest,
                 .reason = "in every step 28 roundings of 2^-24 of the greatest value"});
    return check;
  }

 private:
  /// cfd::Mesh with device addresses.
  struct DeviceMesh {
    Address beyond, normals, surfaces;
    std::int32_t elements;
  };
  static_assert(sizeof(DeviceMesh) == sizeof(::cfd::Mesh));

  int steps_;
  cfd::Tetrahedra mesh_;
  ::cfd::FarField far_field_{};
  std::vector<float> result_;
};

const Registration kRegistration({
    .name = "cfd",
    .summary = "Air around a body: Euler's equations by finite volumes in a mesh of tetrahedra",
    .papers = {"preexec Table 2"},
    .kernels = {{"initialize_variables", {kBlock}},
                {"compute_step_factor", {kBlock}},
                {"compute_flux", {kBlock}},
                {"time_step", {kBlock}}},
    .make = make_program<Cfd>,
});

}  // namespace
}  // namespace heddle::workload::cfd_host
