#pragma once

// What the kernels and the host part agree on.

/// The pixels along a side of the squares that are transformed.
constexpr int kSide = 8;

/// The squares of a block of the fast kernels along either side. A thread has one line of a square.
constexpr int kSquaresX = 4;
constexpr int kSquaresY = 2;
constexpr int kTileX = kSquaresX * kSide;
constexpr int kTileY = kSquaresY * kSide;
