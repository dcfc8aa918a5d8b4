#pragma once

// An invented processor chip with eight cores: where its heat comes from, and how warm it is.

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload::hotspot {

// Silicon, as thermal models of processors take it.
constexpr double kChipSide = 0.016;        ///< Metres.
constexpr double kThickness = 0.0005;      ///< Metres.
constexpr double kConductivity = 100;      ///< Watts per metre and kelvin.
constexpr double kHeatCapacity = 0.875e6;  ///< Joules per cubic metre and kelvin, lumped.
constexpr double kAmbient = 45;            ///< Degrees Celsius, in the case.

/// Watts of every cell and degrees Celsius at the start, in rows.
struct ChipState {
  std::vector<float> power;
  std::vector<float> temperature;
};

/// The cores' load has just changed: the temperatures are nearly those that the load before had
/// settled to, the power is that of the load now.
ChipState make_chip(int columns, int rows, Random& random);

}  // namespace heddle::workload::hotspot
