#pragma once

// What the kernels and the host part agree on.

constexpr int kBlock = 8;
/// The distance along each axis up to which pixels are averaged, in pixels.
constexpr int kSearchRadius = 3;
constexpr int kSearchSide = 2 * kSearchRadius + 1;
/// The patch around a pixel that is compared.
constexpr int kPatchRadius = 1;
constexpr int kPatchSide = 2 * kPatchRadius + 1;
/// The patch that a block of pixels compares once for all of them: nearly the block.
constexpr int kSharedPatchRadius = 3;
constexpr int kSharedPatchSide = 2 * kSharedPatchRadius + 1;

/// The weight of a pixel is exp(-(difference * by_difference + squared distance * by_distance)).
struct Falloff {
  float by_difference, by_distance;
};
