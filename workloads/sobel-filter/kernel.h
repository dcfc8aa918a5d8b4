#pragma once

// What the kernels and the host part agree on.

/// `sobel_texture` has one block for a row, however wide.
constexpr int kRowBlock = 384;

/// A block of `sobel_shared` computes a tile: kPixels side by side in every thread.
constexpr int kBlockX = 16;
constexpr int kBlockY = 4;
constexpr int kPixels = 4;
constexpr int kTileX = kBlockX * kPixels;
