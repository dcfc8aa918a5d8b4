#pragma once

// What a magnetic resonance scanner measures of a head.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::workload {

/// A value for each of the trajectory's points.
struct Scan {
  std::vector<float> x, y, z;  ///< Where the point is, in oscillations across the picture.
  std::vector<float> phi_real, phi_imaginary;  ///< The coil's answer.
  std::vector<float> real, imaginary;          ///< What is measured with that coil.
};

/// A slice through a head, at `height`, sampled at `across` x `across` points that lie near those
/// of a grid of frequencies as wide as `range`. Computed with no function whose last bit differs
/// from host to host.
Scan scan_head(std::size_t across, double range, double height, std::uint64_t seed);

}  // namespace heddle::workload
