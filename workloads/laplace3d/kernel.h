#pragma once

// Cells of a tile in x and y, and threads of a block. Host part and kernel share them.
constexpr int kColumns = 32;
constexpr int kRows = 4;
