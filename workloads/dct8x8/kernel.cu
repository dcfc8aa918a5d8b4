// The cosine transform of a picture's squares of 8 x 8 pixels, as JPEG has it, and back: once as
// products of matrices, once by a fast transform of lines; and the quantization between the two.

#include "kernel.h"

// Row k is the cosine of frequency k; the matrix's inverse is its transpose.
__constant__ float cosines[kSide * kSide];
__constant__ float steps[kSide * kSide];

// A thread a coefficient: C x C^T of the square x. Columns first, then rows.
extern "C" __global__ void dct_by_matrix(cudaTextureObject_t picture, float* coefficients,
                                         int width) {
  __shared__ float square[kSide][kSide];
  __shared__ float half_done[kSide][kSide];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = blockIdx.x * kSide + tx;
  const int row = blockIdx.y * kSide + ty;

  square[ty][tx] = tex2D<float>(picture, column + 0.5f, row + 0.5f);
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kSide; ++k) sum += cosines[ty * kSide + k] * square[k][tx];
  half_done[ty][tx] = sum;
  __syncthreads();
  sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kSide; ++k) sum += half_done[ty][k] * cosines[tx * kSide + k];
  coefficients[row * width + column] = sum;
}

// C^T x C.
extern "C" __global__ void inverse_dct_by_matrix(const float* coefficients, float* picture,
                                                 int width) {
  __shared__ float square[kSide][kSide];
  __shared__ float half_done[kSide][kSide];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int place = (blockIdx.y * kSide + ty) * width + blockIdx.x * kSide + tx;

  square[ty][tx] = coefficients[place];
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kSide; ++k) sum += cosines[k * kSide + ty] * square[k][tx];
  half_done[ty][tx] = sum;
  __syncthreads();
  sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kSide; ++k) sum += half_done[ty][k] * cosines[k * kSide + tx];
  picture[place] = sum;
}

// Each coefficient becomes the nearest multiple of its frequency's step: what JPEG loses.
extern "C" __global__ void quantize(float* coefficients, int width) {
  const int place = (blockIdx.y * kSide + threadIdx.y) * width + blockIdx.x * kSide + threadIdx.x;
  const float step = steps[threadIdx.y * kSide + threadIdx.x];
  coefficients[place] = step * rintf(coefficients[place] / step);
}

// Halves of the cosines of k sixteenths of half a turn, and the root of an eighth.
constexpr float c1 = 0.490392640f;
constexpr float c2 = 0.461939766f;
constexpr float c3 = 0.415734806f;
constexpr float c4 = 0.353553391f;
constexpr float c5 = 0.277785117f;
constexpr float c6 = 0.191341716f;
constexpr float c7 = 0.097545161f;

// Even frequencies are the same seen from either end, odd ones change sign: sums and differences of
// what lies opposite part them.
__device__ void transform(float (&line)[kSide]) {
  const float sum_07 = line[0] + line[7], difference_07 = line[0] - line[7];
  const float sum_16 = line[1] + line[6], difference_16 = line[1] - line[6];
  const float sum_25 = line[2] + line[5], difference_25 = line[2] - line[5];
  const float sum_34 = line[3] + line[4], difference_34 = line[3] - line[4];

  const float outer = sum_07 + sum_34, outer_difference = sum_07 - sum_34;
  const float inner = sum_16 + sum_25, inner_difference = sum_16 - sum_25;
  line[0] = c4 * (outer + inner);
  line[4] = c4 * (outer - inner);
  line[2] = c2 * outer_difference + c6 * inner_difference;
  line[6] = c6 * outer_difference - c2 * inner_difference;

  line[1] = c1 * difference_07 + c3 * difference_16 + c5 * difference_25 + c7 * difference_34;
  line[3] = c3 * difference_07 - c7 * difference_16 - c1 * difference_25 - c5 * difference_34;
  line[5] = c5 * difference_07 - c1 * difference_16 + c7 * difference_25 + c3 * difference_34;
  line[7] = c7 * difference_07 - c5 * difference_16 + c3 * difference_25 - c1 * difference_34;
}

// The same steps backwards.
__device__ void transform_back(float (&line)[kSide]) {
  const float outer = c4 * (line[0] + line[4]), inner = c4 * (line[0] - line[4]);
  const float outer_difference = c2 * line[2] + c6 * line[6];
  const float inner_difference = c6 * line[2] - c2 * line[6];
  const float sum_07 = outer + outer_difference, sum_34 = outer - outer_difference;
  const float sum_16 = inner + inner_difference, sum_25 = inner - inner_difference;

  const float difference_07 = c1 * line[1] + c3 * line[3] + c5 * line[5] + c7 * line[7];
  const float difference_16 = c3 * line[1] - c7 * line[3] - c1 * line[5] - c5 * line[7];
  const float difference_25 = c5 * line[1] - c1 * line[3] + c7 * line[5] + c3 * line[7];
  const float difference_34 = c7 * line[1] - c5 * line[3] + c3 * line[5] - c1 * line[7];

  line[0] = sum_07 + difference_07;
  line[7] = sum_07 - difference_07;
  line[1] = sum_16 + difference_16;
  line[6] = sum_16 - difference_16;
  line[2] = sum_25 + difference_25;
  line[5] = sum_25 - difference_25;
  line[3] = sum_34 + difference_34;
  line[4] = sum_34 - difference_34;
}

// A thread takes a column of a square, then a row, then stores a column: from global memory a
// warp's columns are side by side. `transform_line` is either of the two above.
template <class Transform>
__device__ void transform_squares(const float* in, float* out, int width, int height,
                                  Transform transform_line) {
  // One more column, so that both rows and columns of the tile are in different banks.
  __shared__ float tile[kTileY][kTileX + 1];
  const int square_x = threadIdx.y * kSide;
  const int square_y = threadIdx.z * kSide;
  const int tile_column = square_x + threadIdx.x;
  const int first_row = blockIdx.y * kTileY + square_y;
  const int column = blockIdx.x * kTileX + tile_column;
  // Squares are inside as a whole, or not at all.
  const bool inside = column < width && first_row < height;
  const int place = first_row * width + column;

  float line[kSide];
  if (inside) {
#pragma unroll
    for (int i = 0; i < kSide; ++i) line[i] = in[place + i * width];
    transform_line(line);
#pragma unroll
    for (int i = 0; i < kSide; ++i) tile[square_y + i][tile_column] = line[i];
  }
  __syncthreads();
  if (inside) {
    float* const row = &tile[square_y + threadIdx.x][square_x];
#pragma unroll
    for (int i = 0; i < kSide; ++i) line[i] = row[i];
    transform_line(line);
#pragma unroll
    for (int i = 0; i < kSide; ++i) row[i] = line[i];
  }
  __syncthreads();
  if (inside) {
#pragma unroll
    for (int i = 0; i < kSide; ++i) out[place + i * width] = tile[square_y + i][tile_column];
  }
}

extern "C" __global__ void fast_dct(const float* picture, float* coefficients, int width,
                                    int height) {
  transform_squares(picture, coefficients, width, height,
                    [](float(&line)[kSide]) { transform(line); });
}

extern "C" __global__ void fast_inverse_dct(const float* coefficients, float* picture, int width,
                                            int height) {
  transform_squares(coefficients, picture, width, height,
                    [](float(&line)[kSide]) { transform_back(line); });
}
