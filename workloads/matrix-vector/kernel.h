#pragma once

// What the kernels and the host part of matrix-vector both know.

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kRowsPerWarp = 4;
constexpr int kRowsPerBlock = kWarps * kRowsPerWarp;
// Columns whose part of x a block holds at a time.
constexpr int kTile = kThreads;
