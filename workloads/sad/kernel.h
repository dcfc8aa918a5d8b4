#pragma once

// What host and kernels agree on.

namespace sad {

/// Pixels along a side of a macroblock, and of the smallest blocks that it is cut into.
constexpr int kMacroblock = 16;
constexpr int kSmall = 4;
constexpr int kSmallAcross = kMacroblock / kSmall;
constexpr int kSmallBlocks = kSmallAcross * kSmallAcross;

/// The longest motion vector along either axis, in pixels.
constexpr int kReach = 16;
constexpr int kVectorsAcross = 2 * kReach + 1;
constexpr int kVectors = kVectorsAcross * kVectorsAcross;
/// The distance from one block's sums to the next one's, in sums: a multiple of 16 bytes.
constexpr int kStride = (kVectors + 7) / 8 * 8;

/// Two sums share a word. The kernels for larger blocks add both at once.
constexpr int kPairs = (kVectors + 1) / 2;
constexpr int kPairStride = kStride / 2;

/// Threads for a small block, and vectors for each thread. Few threads have fewer vectors.
constexpr int kSmallThreads = 61;
constexpr int kVectorsEach = 18;
static_assert(kSmallThreads * kVectorsEach >= kVectors);

/// Threads for a macroblock: one row of threads for each quarter.
constexpr int kPairThreads = 32;
constexpr int kQuarters = 4;

}  // namespace sad
