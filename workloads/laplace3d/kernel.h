#pragma once

// Cells of a tile, and threads of a block, in x and y.
constexpr int kColumns = 32;
constexpr int kRows = 4;
