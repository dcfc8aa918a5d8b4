#pragma once

// An invented processor chip with eight cores: its power and its initial temperatures.

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload::hotspot {

// Typical parameters of silicon in thermal models of processors.
constexpr double kChipSide = 0.016;        ///< Metres.
constexpr double kThickness = 0.0005;      ///< Metres.
constexpr double kConductivity = 100;      ///< Watts per metre and kelvin.
constexpr double kHeatCapacity = 0.875e6;  ///< Joules per cubic metre and kelvin, lumped.
constexpr double kAmbient = 45;            ///< Degrees Celsius, in the case.

/// The power of each cell in watts and its initial temperature in degrees Celsius, in rows.
struct ChipState {
  std::vector<float> power;
  std::vector<float> temperature;
};

/// The state after the cores' load has just changed: the temperatures are close to the steady state
/// of the previous load, the power is that of the new load.
ChipState make_chip(int columns, int rows, Random& random);

}  // namespace heddle::workload::hotspot
