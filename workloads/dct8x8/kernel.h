#pragma once

// What the kernels and the host part agree on.

/// A picture is transformed in squares of so many pixels a side.
constexpr int kSide = 8;

/// A block of the fast kernels has this many squares, one line of a square a thread.
constexpr int kSquaresX = 4;
constexpr int kSquaresY = 2;
constexpr int kTileX = kSquaresX * kSide;
constexpr int kTileY = kSquaresY * kSide;
