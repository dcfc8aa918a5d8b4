#pragma once

// What kernels and host part agree on.

constexpr unsigned kBins = 256;
constexpr unsigned kThreads = 512;  ///< Of a counting block.
constexpr unsigned kWarpsPerTable = 4;
constexpr unsigned kTables = kThreads / 32 / kWarpsPerTable;

constexpr unsigned kBinsPerBlock = 32;  ///< Of a merging block.
constexpr unsigned kRowsOfThreads = 8;  ///< Of a merging block.

// For the resident form, whose grid is resident as a whole.
constexpr unsigned kResidentThreads = 1024;  ///< Per block.
constexpr unsigned kAsciiCharacters = 128;
constexpr unsigned kWordsOfCounters = kAsciiCharacters / 4;  ///< Per thread.
static_assert(kWordsOfCounters == kResidentThreads / 32, "Merged by one block, a warp a word.");
