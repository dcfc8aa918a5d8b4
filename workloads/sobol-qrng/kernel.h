#pragma once

// What the host part and the kernel of sobol-qrng share.

namespace sobol_qrng {

constexpr int kThreads = 64;
/// The bits of a coordinate, and the direction numbers of a dimension.
constexpr int kBits = 32;

}  // namespace sobol_qrng
