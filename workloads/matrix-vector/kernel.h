#pragma once

// What the kernels and the host part of matrix-vector both know.

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kRowsPerWarp = 4;
constexpr int kRowsPerBlock = kWarps * kRowsPerWarp;
// Elements of x that a block holds in shared memory at a time.
constexpr int kTile = kThreads;
