#include "euler_reference.h"

#include <cmath>
#include <cstddef>

namespace heddle::workload::cfd {
namespace {

constexpr double kGamma = static_cast<double>(::cfd::kGamma);

double speed_of(const Gas& gas) {
  return std::sqrt(gas[1] * gas[1] + gas[2] * gas[2] + gas[3] * gas[3]) / gas[0];
}

double fastest_in(const Gas& gas) {
  return speed_of(gas) + std::sqrt(kGamma * pressure_of(gas) / gas[0]);
}

struct Normal {
  std::array<double, 3> components;

  double area() const { return std::hypot(components[0], components[1], components[2]); }
};

/// The flow along the normal between two states of the gas.
Gas flow(const Normal& normal, const Gas& here, const Gas& there) {
  Gas sum{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Gas a = flux_across(here, axis), b = flux_across(there, axis);
    for (std::size_t v = 0; v < sum.size(); ++v) {
      sum.at(v) += normal.components.at(axis) * (a.at(v) + b.at(v)) / 2;
    }
  }
  return sum;
}

}  // namespace

Gas gas_of(const ::cfd::State& state) {
  return {static_cast<double>(state.density), static_cast<double>(state.momentum.x),
          static_cast<double>(state.momentum.y), static_cast<double>(state.momentum.z),
          static_cast<double>(state.energy)};
}

double pressure_of(const Gas& gas) {
  const double speed = speed_of(gas);
  return (kGamma - 1) * (gas[4] - gas[0] * speed * speed / 2);
}

Gas flux_across(const Gas& gas, std::size_t axis) {
  const double velocity = gas.at(axis + 1) / gas[0];
  const double pressure = pressure_of(gas);
  Gas flux = gas;
  flux[4] += pressure;
  for (double& carried : flux) carried *= velocity;
  flux.at(axis + 1) += pressure;
  return flux;
}

std::vector<Gas> stage_after(const Tetrahedra& mesh, const ::cfd::State& far_field,
                             const std::vector<Gas>& before_step, const std::vector<Gas>& before,
                             double share) {
  std::vector<Gas> out(before.size(), Gas{});
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t f = 0; f < ::cfd::kFaces; ++f) {
      const ::cfd::Vector n = mesh.normal(i, f);
      const Normal normal{
          {static_cast<double>(n.x), static_cast<double>(n.y), static_cast<double>(n.z)}};
      const std::int32_t beyond = mesh.beyond[f * before.size() + i];
      if (beyond == ::cfd::kWall) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          out[i].at(axis + 1) += normal.components.at(axis) * pressure_of(before[i]);
        }
      } else if (beyond == ::cfd::kFarField) {
        const Gas through = flow(normal, before[i], gas_of(far_field));
        for (std::size_t v = 0; v < through.size(); ++v) out[i].at(v) += through.at(v);
      } else if (const auto other = static_cast<std::size_t>(beyond); other > i) {
        const Gas& there = before[other];
        Gas through = flow(normal, before[i], there);
        const double mixing = normal.area() * (fastest_in(before[i]) + fastest_in(there)) / 4;
        for (std::size_t v = 0; v < through.size(); ++v) {
          through.at(v) += mixing * (before[i].at(v) - there.at(v));
          out[i].at(v) += through.at(v);
          out[other].at(v) -= through.at(v);
        }
      }
    }
  }
  std::vector<Gas> after = before_step;
  for (std::size_t i = 0; i < after.size(); ++i) {
    // The speed at the step's start decides for all of its stages.
    const double factor = share * static_cast<double>(::cfd::kCourant) /
                          (static_cast<double>(mesh.surfaces[i]) * fastest_in(before_step[i]));
    for (std::size_t v = 0; v < after[i].size(); ++v) after[i].at(v) -= factor * out[i].at(v);
  }
  return after;
}

}  // namespace heddle::workload::cfd
