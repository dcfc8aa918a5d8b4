#pragma once

// What kernels and host part agree on.

constexpr unsigned kThreads = 256;  ///< Per block.
constexpr unsigned kPerBlock = 2 * kThreads;
