#pragma once

// What host and kernels agree on.

namespace mri_q {

constexpr int kMagnitudeBlock = 512;
constexpr int kVoxelBlock = 256;
/// Samples of a launch.
constexpr int kMostSamples = 1024;

/// A point of the scanner's trajectory through the space of frequencies, and how strong the coil is
/// there, squared.
struct alignas(16) Sample {
  float x, y, z, magnitude;
};

}  // namespace mri_q
