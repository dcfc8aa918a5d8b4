#pragma once

// What the kernels and the host part agree on.

/// Threads of a block of `sobel_texture`, which computes a row of any width.
constexpr int kRowBlock = 384;

/// A block of `sobel_shared` computes a tile; a thread computes kPixels adjacent pixels.
constexpr int kBlockX = 16;
constexpr int kBlockY = 4;
constexpr int kPixels = 4;
constexpr int kTileX = kBlockX * kPixels;
