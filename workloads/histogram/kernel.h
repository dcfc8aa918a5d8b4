#pragma once

// What kernels and host part agree on.

constexpr unsigned kBins = 256;
constexpr unsigned kThreads = 512;  ///< Of a block that counts.
constexpr unsigned kWarpsPerTable = 4;
constexpr unsigned kTables = kThreads / 32 / kWarpsPerTable;

constexpr unsigned kBinsPerBlock = 32;  ///< That a block of the merge sums up.
constexpr unsigned kRowsOfThreads = 8;  ///< Of a block of the merge.
