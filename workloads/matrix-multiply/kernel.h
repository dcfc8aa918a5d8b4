#pragma once

/// Threads along a side of a block, and so elements along a side of a tile in shared memory.
constexpr int kTile = 16;
