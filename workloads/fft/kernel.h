#pragma once

// What kernels and host parts agree on.

constexpr int kPoints = 512;  ///< Of a transform by fft512.
constexpr int kThreads = 64;  ///< Per block, of both kernels.

/// The side of a square that fft_lines transforms.
constexpr int kSide = 2 * kThreads;
