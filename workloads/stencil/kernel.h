#pragma once

namespace stencil_tile {

/// Threads along the sides of a block whose tile is in shared memory. Each thread has two columns
/// of cells, so that the tile is twice as wide as the block.
constexpr int kTileThreads = 32;
constexpr int kTileRows = 4;
constexpr int kColumnsEach = 2;
constexpr int kTileColumns = kColumnsEach * kTileThreads;

}  // namespace stencil_tile
