#pragma once

// What kernels and host part agree on.

constexpr unsigned kBins = 256;
constexpr unsigned kThreads = 512;  ///< Of a block that counts.
constexpr unsigned kWarpsPerTable = 4;
constexpr unsigned kTables = kThreads / 32 / kWarpsPerTable;

constexpr unsigned kBinsPerBlock = 32;  ///< That a block of the merge sums up.
constexpr unsigned kRowsOfThreads = 8;  ///< Of a block of the merge.

// Where the grid is resident as a whole.
constexpr unsigned kResidentThreads = 1024;  ///< Of a block.
constexpr unsigned kAsciiCharacters = 128;
constexpr unsigned kWordsOfCounters = kAsciiCharacters / 4;  ///< Of a thread.
static_assert(kWordsOfCounters == kResidentThreads / 32, "Merged by one block, a warp a word.");
