#pragma once

// What host and kernels agree on.

namespace mri_fhd {

constexpr int kSampleBlock = 512;
constexpr int kVoxelBlock = 256;
/// Samples of a launch at most.
constexpr int kMostSamples = 512;

/// A point of the scanner's trajectory through the space of frequencies, and what was measured
/// there, seen through the coil.
struct Sample {
  float x, y, z;
  float real, imaginary;
};

}  // namespace mri_fhd
