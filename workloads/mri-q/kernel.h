#pragma once

// What host and kernels agree on.

namespace mri_q {

constexpr int kMagnitudeBlock = 512;
constexpr int kVoxelBlock = 256;
/// Samples of a launch at most.
constexpr int kMostSamples = 1024;

/// A point of the scanner's trajectory through the space of frequencies, and the squared magnitude
/// of the coil's response there.
struct alignas(16) Sample {
  float x, y, z, magnitude;
};

}  // namespace mri_q
