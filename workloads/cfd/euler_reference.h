#pragma once

// The simulation in double precision. It works face by face: what leaves one element enters the
// other.

#include <array>
#include <vector>

#include "kernel.h"
#include "tetrahedra.h"

namespace heddle::workload::cfd {

/// Density, momentum along x, y and z, and energy, per unit of volume.
using Gas = std::array<double, ::cfd::kVariables>;

Gas gas_of(const ::cfd::State& state);
double pressure_of(const Gas& gas);
/// The flow through a unit area across an axis: 0, 1, 2 for x, y, z.
Gas flux_across(const Gas& gas, std::size_t axis);

/// All elements after a stage that changes them by `share` of a step, from the gas before the step
/// and before the stage.
std::vector<Gas> stage_after(const Tetrahedra& mesh, const ::cfd::State& far_field,
                             const std::vector<Gas>& before_step, const std::vector<Gas>& before,
                             double share);

}  // namespace heddle::workload::cfd
