#pragma once

// What kernels and host part agree on.

constexpr unsigned kThreads = 512;  ///< Per block.
constexpr unsigned kPerBlock = 2 * kThreads;
