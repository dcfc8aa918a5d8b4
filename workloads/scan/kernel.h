#pragma once

// What kernels and host parts agree on.

constexpr unsigned kThreads = 256;  ///< Per block.
constexpr unsigned kPerBlock = 2 * kThreads;

constexpr unsigned kShortThreads = 64;  ///< Per block, which scans a short vector.
constexpr unsigned kShortVector = 2 * kShortThreads;
