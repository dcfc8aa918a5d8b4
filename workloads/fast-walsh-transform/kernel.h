#pragma once

// What the kernels and the host part agree on.

/// A block transforms this many values in shared memory, four per thread.
constexpr int kLogSharedLength = 11;
constexpr int kSharedLength = 1 << kLogSharedLength;
constexpr int kSharedBlock = kSharedLength / 4;
constexpr int kGlobalBlock = 256;
constexpr int kMultiplyBlock = 256;
