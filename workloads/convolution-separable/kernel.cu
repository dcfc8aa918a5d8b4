// A filter that is the product of a row and a column, in two passes. What lies beyond the image
// is 0.

#include "kernel.h"

// All lanes read the same weight at a time, which is what the constant cache is for.
__constant__ float weights[kTaps];

// A block has a strip of kRowBlockY rows. Its tile is the strip and kRadius pixels on either side,
// which is again a whole number of blocks wide: every thread loads one pixel more than it computes.
extern "C" __global__ void convolve_rows(const float* in, float* out, int width, int height) {
  constexpr int kStrip = kRowBlockX * kRowResults;
  constexpr int kTile = kStrip + 2 * kRadius;
  static_assert(kTile % kRowBlockX == 0, "the halo is not a whole block");
  __shared__ float tile[kRowBlockY][kTile];

  const int first = blockIdx.x * kStrip;
  const int row = blockIdx.y * kRowBlockY + threadIdx.y;
  const bool inside = row < height;

#pragma unroll
  for (int i = 0; i < kTile; i += kRowBlockX) {
    const int place = i + threadIdx.x;
    const int column = first - kRadius + place;
    float value = 0.0f;
    if (inside && column >= 0 && column < width) value = in[row * width + column];
    tile[threadIdx.y][place] = value;
  }
  __syncthreads();

  // Results a block's width apart, so that neighbouring threads store neighbouring pixels.
#pragma unroll
  for (int i = 0; i < kStrip; i += kRowBlockX) {
    const int place = i + threadIdx.x;
    float sum = 0.0f;
#pragma unroll
    for (int tap = 0; tap < kTaps; ++tap) sum += weights[tap] * tile[threadIdx.y][place + tap];
    if (inside && first + place < width) out[row * width + first + place] = sum;
  }
}

// A block has a strip of kColumnBlockX columns: wide enough for whole memory transactions, and
// high, so that the halo above and below is little beside it.
extern "C" __global__ void convolve_columns(const float* in, float* out, int width, int height) {
  constexpr int kStrip = kColumnBlockY * kColumnResults;
  constexpr int kTile = kStrip + 2 * kRadius;
  static_assert(kTile % kColumnBlockY == 0, "the halo is not whole blocks");
  // Two rows are one after the other in the 32 banks: a warp's reads never meet.
  __shared__ float tile[kTile][kColumnBlockX];

  const int column = blockIdx.x * kColumnBlockX + threadIdx.x;
  const int first = blockIdx.y * kStrip;
  const bool inside = column < width;

#pragma unroll
  for (int i = 0; i < kTile; i += kColumnBlockY) {
    const int place = i + threadIdx.y;
    const int row = first - kRadius + place;
    float value = 0.0f;
    if (inside && row >= 0 && row < height) value = in[row * width + column];
    tile[place][threadIdx.x] = value;
  }
  __syncthreads();

#pragma unroll
  for (int i = 0; i < kStrip; i += kColumnBlockY) {
    const int place = i + threadIdx.y;
    float sum = 0.0f;
#pragma unroll
    for (int tap = 0; tap < kTaps; ++tap) sum += weights[tap] * tile[place + tap][threadIdx.x];
    if (inside && first + place < height) out[(first + place) * width + column] = sum;
  }
}
