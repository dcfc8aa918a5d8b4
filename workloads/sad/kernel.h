#pragma once

// What host and kernels agree on.

namespace sad {

/// Pixels along a side of a macroblock, and of the smallest blocks that it is cut into.
constexpr int kMacroblock = 16;
constexpr int kSmall = 4;
constexpr int kSmallAcross = kMacroblock / kSmall;
constexpr int kSmallBlocks = kSmallAcross * kSmallAcross;

/// How far a block is looked for, along both axes.
constexpr int kReach = 16;
constexpr int kVectorsAcross = 2 * kReach + 1;
constexpr int kVectors = kVectorsAcross * kVectorsAcross;
/// From one block's sums to the next one's: whole 16 bytes.
constexpr int kStride = (kVectors + 7) / 8 * 8;

/// Two sums are a word: what the kernels for larger blocks add at once.
constexpr int kPairs = (kVectors + 1) / 2;
constexpr int kPairStride = kStride / 2;

/// Threads for a small block, with so many vectors each, so that few are left without one.
constexpr int kSmallThreads = 61;
constexpr int kVectorsEach = 18;
static_assert(kSmallThreads * kVectorsEach >= kVectors);

/// Threads for a macroblock: a row of them for each quarter.
constexpr int kPairThreads = 32;
constexpr int kQuarters = 4;

}  // namespace sad
