#pragma once

// What kernels and host part agree on.

constexpr unsigned kThreads = 512;  ///< Of a block, each with one pair.
constexpr unsigned kDigitBits = 4;
constexpr unsigned kDigits = 1 << kDigitBits;
