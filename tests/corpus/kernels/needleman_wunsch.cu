// Sequence alignment: one diagonal of 16 x 16 tiles of the score matrix, waves inside the tile.
constexpr int kTile = 16;

extern "C" __global__ void needle_diagonal(const int* reference, int* scores, int columns,
                                           int penalty, int diagonal, int first_tile) {
  __shared__ int score[kTile + 1][kTile + 1];
  __shared__ int similarity[kTile][kTile];
  int thread = threadIdx.x;
  int tile_x = first_tile + blockIdx.x, tile_y = diagonal - tile_x;
  int base = columns * kTile * tile_y + kTile * tile_x;
  if (thread == 0) score[0][0] = scores[base];
  for (int row = 0; row < kTile; ++row)
    similarity[row][thread] = reference[base + columns * (row + 1) + thread + 1];
  score[thread + 1][0] = scores[base + columns * (thread + 1)];
  score[0][thread + 1] = scores[base + thread + 1];
  __syncthreads();
  for (int wave = 0; wave < 2 * kTile - 1; ++wave) {
    int x = wave < kTile ? thread + 1 : thread + wave - kTile + 2;
    int y = wave < kTile ? wave - thread + 1 : kTile - thread;
    bool active = wave < kTile ? thread <= wave : thread < 2 * kTile - 1 - wave;
    if (active)
      score[y][x] = max(score[y - 1][x - 1] + similarity[y - 1][x - 1],
                        max(score[y][x - 1] - penalty, score[y - 1][x] - penalty));
    __syncthreads();
  }
  for (int row = 0; row < kTile; ++row)
    scores[base + columns * (row + 1) + thread + 1] = score[row + 1][thread + 1];
}
