#pragma once

// What host and kernel agree on.

namespace weather {

constexpr int kLevels = 28;

/// Columns of a block, along either side.
constexpr int kSide = 8;

/// In an array of three dimensions columns are next to each other: level by level, row by row.
/// Water is in kilograms by a kilogram of dry air.
struct Atmosphere {
  float* warmth;  ///< The potential temperature: what it would be at 1000 hPa, in kelvins.
  float* vapour;
  float* cloud;
  float* rain;
  const float* density;    ///< kg/m^3
  const float* exner;      ///< The temperature by the potential one.
  const float* thickness;  ///< m
  float* fallen;           ///< What has rained on the ground of each column, in mm.
  int* fall_steps;         ///< The parts that rain's fall was cut into, in each column.
  int width, depth;        ///< columns
};

}  // namespace weather
