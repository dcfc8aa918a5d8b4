// A diagonal of the matrix of scores, one thread for each cell: (leftmost, diagonal - leftmost),
// (leftmost + 1, diagonal - leftmost - 1), ... A cell needs those to its left, above, and above to
// the left, which earlier launches have computed. `score` has a row and a column more than
// `similarity`, in front, which the host has filled.
extern "C" __global__ void needle_cells(int* score, const int* similarity, int columns, int penalty,
                                        int diagonal, int leftmost, int cells) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= cells) return;
  const int column = leftmost + thread;
  const int row = diagonal - column;
  const int pitch = columns + 1;
  const int corner = row * pitch + column;
  const int aligned = score[corner] + similarity[row * columns + column];
  const int from_above = score[corner + 1] - penalty;
  const int from_left = score[corner + pitch] - penalty;
  score[corner + pitch + 1] = max(aligned, max(from_left, from_above));
}
