#pragma once

// What the kernels and the host part agree on.

constexpr int kBlock = 8;
/// How far away pixels may be that are averaged.
constexpr int kSearchRadius = 3;
constexpr int kSearchSide = 2 * kSearchRadius + 1;
/// What is compared of two pixels' neighbourhoods.
constexpr int kPatchRadius = 1;
constexpr int kPatchSide = 2 * kPatchRadius + 1;
/// The same where a whole block of pixels shares a comparison: nearly the block.
constexpr int kSharedPatchRadius = 3;
constexpr int kSharedPatchSide = 2 * kSharedPatchRadius + 1;

/// A pixel counts exp(-(difference * by_difference + squared distance * by_distance)).
struct Falloff {
  float by_difference, by_distance;
};
