// Edges of a picture by the operator of Sobel: how much brighter it becomes across and down, each
// smoothed the other way. Once with every neighbour read through the texture, once with a tile in
// shared memory.

#include "kernel.h"

__device__ int texel(cudaTextureObject_t image, int column, int row) {
  return tex2D<unsigned char>(image, column + 0.5f, row + 0.5f);
}

// The three pixels of a column around a pixel, above, beside and below it.
struct Column {
  int above, beside, below;
};

__device__ unsigned char strength(const Column& left, const Column& middle, const Column& right,
                                  float scale) {
  const int across =
      right.above + 2 * right.beside + right.below - left.above - 2 * left.beside - left.below;
  const int down =
      left.below + 2 * middle.below + right.below - left.above - 2 * middle.above - right.above;
  return min(static_cast<int>(scale * (abs(across) + abs(down))), 255);
}

__device__ Column column_of(cudaTextureObject_t image, int column, int row) {
  return {texel(image, column, row - 1), texel(image, column, row), texel(image, column, row + 1)};
}

// A block a row, whose threads go along it.
extern "C" __global__ void sobel_texture(cudaTextureObject_t image, unsigned char* out, int width,
                                         float scale) {
  const int row = blockIdx.x;
  for (int column = threadIdx.x; column < width; column += blockDim.x) {
    out[row * width + column] =
        strength(column_of(image, column - 1, row), column_of(image, column, row),
                 column_of(image, column + 1, row), scale);
  }
}

// A block loads its tile with a border of one pixel once; a thread's four pixels share columns.
extern "C" __global__ void sobel_shared(cudaTextureObject_t image, unsigned char* out, int width,
                                        int height, float scale) {
  __shared__ unsigned char tile[kBlockY + 2][kTileX + 2];

  const int left = blockIdx.x * kTileX;
  const int top = blockIdx.y * kBlockY;
  for (int y = threadIdx.y; y < kBlockY + 2; y += kBlockY) {
    for (int x = threadIdx.x; x < kTileX + 2; x += kBlockX) {
      tile[y][x] = texel(image, left - 1 + x, top - 1 + y);
    }
  }
  __syncthreads();

  const int row = top + threadIdx.y;
  const int first = kPixels * threadIdx.x;
  if (row >= height || left + first >= width) return;

  const auto column = [&](int x) {
    return Column{tile[threadIdx.y][x], tile[threadIdx.y + 1][x], tile[threadIdx.y + 2][x]};
  };
  Column columns[kPixels + 2];
#pragma unroll
  for (int i = 0; i < kPixels + 2; ++i) columns[i] = column(first + i);
  uchar4 result;
  result.x = strength(columns[0], columns[1], columns[2], scale);
  result.y = strength(columns[1], columns[2], columns[3], scale);
  result.z = strength(columns[2], columns[3], columns[4], scale);
  result.w = strength(columns[3], columns[4], columns[5], scale);
  // The width is a multiple of four.
  *reinterpret_cast<uchar4*>(&out[row * width + left + first]) = result;
}
