#pragma once

/// Elements along a side of a tile.
constexpr int kTile = 16;
