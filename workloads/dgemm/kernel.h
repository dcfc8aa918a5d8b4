#pragma once

// What host and kernel agree on.

namespace dgemm {

/// Threads along a side of a block.
constexpr int kThreads = 16;
constexpr int kBlock = kThreads * kThreads;
/// Elements of C that a thread computes along either side.
constexpr int kEach = 4;
/// Elements of C that a block computes along either side.
constexpr int kSide = kThreads * kEach;
/// The terms of each sum that a block adds at a time.
constexpr int kDepth = 16;

}  // namespace dgemm
