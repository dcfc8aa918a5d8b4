#pragma once

// The measurements of a magnetic resonance scanner.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::workload {

/// One value for each of the trajectory's points.
struct Scan {
  std::vector<float> x, y, z;  ///< The point's position, in oscillations across the picture.
  std::vector<float> phi_real, phi_imaginary;  ///< The coil's response.
  std::vector<float> real, imaginary;          ///< The values measured with that coil.
};

/// A slice through a head, at `height`, sampled at `across` x `across` points near those of a grid
/// of frequencies as wide as `range`. It uses no function whose last bit differs from host to host.
Scan scan_head(std::size_t across, double range, double height, std::uint64_t seed);

}  // namespace heddle::workload
