#pragma once

// What kernels and host part agree on.

constexpr unsigned kThreads = 512;  ///< Per block, each with one pair.
constexpr unsigned kDigitBits = 4;
constexpr unsigned kDigits = 1 << kDigitBits;
