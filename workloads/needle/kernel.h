#pragma once

/// Cells along a side of a tile, and so threads in a block: the tile's diagonals have no more.
constexpr int kTile = 16;
