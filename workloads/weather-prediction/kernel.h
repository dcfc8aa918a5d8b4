#pragma once

// What host and kernel agree on.

namespace weather {

constexpr int kLevels = 28;

/// Columns along either side of a block.
constexpr int kSide = 8;

/// Arrays of three dimensions are ordered by level, then by row, then by column. Water is in
/// kilograms per kilogram of dry air.
struct Atmosphere {
  float* warmth;  ///< The potential temperature: what it would be at 1000 hPa, in kelvins.
  float* vapour;
  float* cloud;
  float* rain;
  const float* density;    ///< kg/m^3
  const float* exner;      ///< Temperature divided by potential temperature.
  const float* thickness;  ///< m
  float* fallen;           ///< The rain on the ground of each column so far, in mm.
  int* fall_steps;         ///< The number of parts of the fall in each column.
  int width, depth;        ///< columns
};

}  // namespace weather
