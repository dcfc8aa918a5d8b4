#pragma once

// What the kernel and the host part agree on.

constexpr int kThreads = 512;
/// The levels of a launch at most: a block halves 1024 samples until one is left.
constexpr int kMostLevels = 10;
static_assert(2 * kThreads == 1 << kMostLevels, "a thread has two samples");
