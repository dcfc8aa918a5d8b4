// A gaussian by recursion (Deriche: Recursively Implementing the Gaussian and its Derivatives,
// 1993): each result is made of the one before it, and so costs the same whatever the radius. Both
// passes go along columns, one thread each, where a warp's reads are coalesced; between them the
// picture is transposed.

#include "kernel.h"

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float4 operator-(float4 a, float4 b) {
  return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}
__device__ float4 operator*(float4 a, float factor) {
  return make_float4(a.x * factor, a.y * factor, a.z * factor, a.w * factor);
}

__device__ float4 levels_of(unsigned int pixel) {
  return make_float4(pixel & 0xff, pixel >> 8 & 0xff, pixel >> 16 & 0xff, pixel >> 24);
}
__device__ unsigned int rounded(float level) { return __float2uint_rn(fminf(level, 255.0f)); }
__device__ unsigned int packed(float4 levels) {
  return rounded(levels.x) | rounded(levels.y) << 8 | rounded(levels.z) << 16 |
         rounded(levels.w) << 24;
}

extern "C" __global__ void gaussian_columns(const unsigned int* in, unsigned int* out, int width,
                                            int height, RecursiveFilter filter) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  in += column;
  out += column;

  // Down: before the first row, the edge goes on for ever.
  float4 last_in = levels_of(in[0]);
  float4 last_out = last_in * filter.settled_down;
  float4 second_last_out = last_out;
  for (int row = 0; row < height; ++row) {
    const float4 now = levels_of(in[row * width]);
    const float4 result = now * filter.this_one + last_in * filter.before -
                          last_out * filter.feedback - second_last_out * filter.second_feedback;
    out[row * width] = packed(result);
    last_in = now;
    second_last_out = last_out;
    last_out = result;
  }

  // Up, from the edge below; it is added to what the way down left in the result.
  last_in = levels_of(in[(height - 1) * width]);
  float4 second_last_in = last_in;
  last_out = last_in * filter.settled_up;
  second_last_out = last_out;
  for (int row = height - 1; row >= 0; --row) {
    const float4 result = last_in * filter.after + second_last_in * filter.second_after -
                          last_out * filter.feedback - second_last_out * filter.second_feedback;
    second_last_in = last_in;
    last_in = levels_of(in[row * width]);
    second_last_out = last_out;
    last_out = result;
    out[row * width] = packed(levels_of(out[row * width]) + result);
  }
}

// Through a tile in shared memory, so that both reads and writes go along rows.
extern "C" __global__ void transpose(const unsigned int* in, unsigned int* out, int width,
                                     int height) {
  // One more column, so that a column of the tile is in different banks.
  __shared__ unsigned int tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (column < width && row < height) {
    tile[threadIdx.y][threadIdx.x] = in[row * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  if (out_column < height && out_row < width) {
    out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y];
  }
}
