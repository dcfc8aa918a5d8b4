// Scores of alignments: a cell needs those to its left, above, and above to the left. Tiles on a
// diagonal from the lower left to the upper right need only those of diagonals before, so every
// diagonal of tiles is a launch; within a tile the block goes over the cells' diagonals likewise.
// A tile has `side` x `side` cells, and its block `side` threads. The larger it is, the fewer words
// of frames are read and the fewer launches there are; what it takes of shared memory grows with
// its square (Gebhart's dissertation, section 7.1.1).

// Words from a row of a tile's scores to the next: those have one column more than the tile. Where
// the cells of a diagonal would all lie in one of 32 banks, another keeps them apart.
template <int side>
constexpr int kPitch = side % 32 == 0 ? side + 2 : side + 1;

// `score` has a row and a column more than `similarity`, in front, which the host has filled.
template <int side>
__device__ __forceinline__ void fill_tile(int* score, const int* similarity, int columns, int rows,
                                          int penalty, int tile_column, int tile_row) {
  __shared__ int cells[side + 1][kPitch<side>];
  __shared__ int gains[side][side];

  const int lane = threadIdx.x;
  const int left = tile_column * side;
  const int top = tile_row * side;
  const int pitch = columns + 1;
  const bool has_column = left + lane < columns;

  // The tile's frame: the row above it, the corner, and the column to its left.
  cells[0][lane + 1] = has_column ? score[top * pitch + left + lane + 1] : 0;
  if (lane == 0) cells[0][0] = score[top * pitch + left];
  cells[lane + 1][0] = top + lane < rows ? score[(top + lane + 1) * pitch + left] : 0;
  // What lies beyond the matrix is computed along, from zeros, but never written.
  for (int row = 0; row < side; ++row) {
    gains[row][lane] =
        has_column && top + row < rows ? similarity[(top + row) * columns + left + lane] : 0;
  }
  __syncthreads();

  // Thread `lane` goes down column `lane`, each a row behind its left neighbour.
  for (int diagonal = 0; diagonal < 2 * side - 1; ++diagonal) {
    const int row = diagonal - lane;
    if (row >= 0 && row < side) {
      const int aligned = cells[row][lane] + gains[row][lane];
      const int from_left = cells[row + 1][lane] - penalty;
      const int from_above = cells[row][lane + 1] - penalty;
      cells[row + 1][lane + 1] = max(aligned, max(from_left, from_above));
    }
    __syncthreads();
  }

  if (has_column) {
    for (int row = 0; row < side && top + row < rows; ++row) {
      score[(top + row + 1) * pitch + left + lane + 1] = cells[row + 1][lane + 1];
    }
  }
}

// A diagonal that begins at the left edge: tiles (0, diagonal), (1, diagonal - 1), ...
template <int side>
__device__ __forceinline__ void fill_upper_left(int* score, const int* similarity, int columns,
                                                int rows, int penalty, int diagonal) {
  const int tile_column = blockIdx.x;
  fill_tile<side>(score, similarity, columns, rows, penalty, tile_column, diagonal - tile_column);
}

// A diagonal that begins at the lower edge: tiles (diagonal - last_row, last_row), then one further
// to the right and one higher, ...
template <int side>
__device__ __forceinline__ void fill_lower_right(int* score, const int* similarity, int columns,
                                                 int rows, int penalty, int diagonal,
                                                 int last_row) {
  const int tile_row = last_row - static_cast<int>(blockIdx.x);
  fill_tile<side>(score, similarity, columns, rows, penalty, diagonal - tile_row, tile_row);
}

extern "C" __global__ void needle_upper_left(int* score, const int* similarity, int columns,
                                             int rows, int penalty, int diagonal) {
  fill_upper_left<16>(score, similarity, columns, rows, penalty, diagonal);
}

extern "C" __global__ void needle_lower_right(int* score, const int* similarity, int columns,
                                              int rows, int penalty, int diagonal, int last_row) {
  fill_lower_right<16>(score, similarity, columns, rows, penalty, diagonal, last_row);
}

// The same on a grid that is resident as a whole: the cells of a diagonal, from the lower left to
// the upper right, are shared out among its threads, and neighbouring threads write neighbouring
// words. For that both matrices are skewed: cell (column, row) is the `column`-th word of row
// `column + row` of an array as wide as `score`, and `similarity` has the frame as well.
//
// Goes over the diagonals from `first` up to, but without, `end`. One that follows another in the
// same launch sees its scores only if the grid is one block.
extern "C" __global__ void needle_resident(int* score, const int* similarity, int columns, int rows,
                                           int penalty, int first, int end) {
  const int pitch = columns + 1;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  for (int diagonal = first; diagonal < end; ++diagonal) {
    const int leftmost = max(1, diagonal - rows);
    const int rightmost = min(diagonal - 1, columns);
    for (int column = leftmost + thread; column <= rightmost; column += threads) {
      const int cell = diagonal * pitch + column;
      const int aligned = score[cell - 2 * pitch - 1] + similarity[cell];
      const int from_left = score[cell - pitch - 1] - penalty;
      const int from_above = score[cell - pitch] - penalty;
      score[cell] = max(aligned, max(from_left, from_above));
    }
    __syncthreads();
  }
}

extern "C" __global__ void needle_upper_left_32(int* score, const int* similarity, int columns,
                                                int rows, int penalty, int diagonal) {
  fill_upper_left<32>(score, similarity, columns, rows, penalty, diagonal);
}

extern "C" __global__ void needle_lower_right_32(int* score, const int* similarity, int columns,
                                                 int rows, int penalty, int diagonal,
                                                 int last_row) {
  fill_lower_right<32>(score, similarity, columns, rows, penalty, diagonal, last_row);
}

extern "C" __global__ void needle_upper_left_64(int* score, const int* similarity, int columns,
                                                int rows, int penalty, int diagonal) {
  fill_upper_left<64>(score, similarity, columns, rows, penalty, diagonal);
}

extern "C" __global__ void needle_lower_right_64(int* score, const int* similarity, int columns,
                                                 int rows, int penalty, int diagonal,
                                                 int last_row) {
  fill_lower_right<64>(score, similarity, columns, rows, penalty, diagonal, last_row);
}
