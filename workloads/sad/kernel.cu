// How well a frame's blocks match the frame before it, for every vector that they may have moved
// by: sums of absolute differences (SAD) of their pixels. Each pixel is looked at once, in blocks
// of 4 x 4; what larger blocks have is the sum of what is in them.

#include "kernel.h"

using namespace sad;

// A block of threads has a block of 4 x 4 pixels, which each thread keeps in registers. Beyond the
// reference's edge its outermost pixels go on.
extern "C" __global__ void sad_4x4(cudaTextureObject_t reference, const uchar4* frame,
                                   unsigned short* sums) {
  const int left = blockIdx.x * kSmall;
  const int top = blockIdx.y * kSmall;
  int pixels[kSmall][kSmall];
#pragma unroll
  for (int y = 0; y < kSmall; ++y) {
    const uchar4 row = frame[(top + y) * gridDim.x + blockIdx.x];
    pixels[y][0] = row.x;
    pixels[y][1] = row.y;
    pixels[y][2] = row.z;
    pixels[y][3] = row.w;
  }

  const int macroblock =
      blockIdx.y / kSmallAcross * (gridDim.x / kSmallAcross) + blockIdx.x / kSmallAcross;
  const int block = blockIdx.y % kSmallAcross * kSmallAcross + blockIdx.x % kSmallAcross;
  sums += (macroblock * kSmallBlocks + block) * kStride;

  for (int vector = threadIdx.x; vector < kVectors; vector += kSmallThreads) {
    const float x = left + vector % kVectorsAcross - kReach + 0.5f;
    const float y = top + vector / kVectorsAcross - kReach + 0.5f;
    unsigned sum = 0;
#pragma unroll
    for (int row = 0; row < kSmall; ++row) {
#pragma unroll
      for (int column = 0; column < kSmall; ++column) {
        const int texel = tex2D<unsigned char>(reference, x + column, y + row);
        sum = __sad(pixels[row][column], texel, sum);
      }
    }
    sums[vector] = sum;
  }
}

// Sums for two vectors lie in a word, and the largest, of 256 pixels, fits its half: words can be
// added as they are.
extern "C" __global__ void larger_sad_8(const unsigned* sums_4x4, unsigned* sums_8x4,
                                        unsigned* sums_4x8, unsigned* sums_8x8) {
  const int macroblock = blockIdx.y * gridDim.x + blockIdx.x;
  const int across = threadIdx.y % 2;
  const int down = threadIdx.y / 2;
  const unsigned* const top =
      sums_4x4 + (macroblock * kSmallBlocks + 2 * down * kSmallAcross + 2 * across) * kPairStride;
  const unsigned* const bottom = top + kSmallAcross * kPairStride;
  unsigned* const wide = sums_8x4 + (macroblock * 8 + 4 * down + across) * kPairStride;
  unsigned* const tall = sums_4x8 + (macroblock * 8 + 4 * down + 2 * across) * kPairStride;
  unsigned* const square = sums_8x8 + (macroblock * kQuarters + threadIdx.y) * kPairStride;

  for (int pair = threadIdx.x; pair < kPairs; pair += kPairThreads) {
    const unsigned top_left = top[pair];
    const unsigned top_right = top[kPairStride + pair];
    const unsigned bottom_left = bottom[pair];
    const unsigned bottom_right = bottom[kPairStride + pair];
    wide[pair] = top_left + top_right;
    wide[2 * kPairStride + pair] = bottom_left + bottom_right;
    tall[pair] = top_left + bottom_left;
    tall[kPairStride + pair] = top_right + bottom_right;
    square[pair] = top_left + top_right + bottom_left + bottom_right;
  }
}

extern "C" __global__ void larger_sad_16(const unsigned* sums_8x8, unsigned* sums_16x8,
                                         unsigned* sums_8x16, unsigned* sums_16x16) {
  const int macroblock = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned* const quarters = sums_8x8 + macroblock * kQuarters * kPairStride;
  unsigned* const wide = sums_16x8 + macroblock * 2 * kPairStride;
  unsigned* const tall = sums_8x16 + macroblock * 2 * kPairStride;
  unsigned* const square = sums_16x16 + macroblock * kPairStride;

  const int first = threadIdx.y * kPairThreads + threadIdx.x;
  for (int pair = first; pair < kPairs; pair += kQuarters * kPairThreads) {
    const unsigned top_left = quarters[pair];
    const unsigned top_right = quarters[kPairStride + pair];
    const unsigned bottom_left = quarters[2 * kPairStride + pair];
    const unsigned bottom_right = quarters[3 * kPairStride + pair];
    wide[pair] = top_left + top_right;
    wide[kPairStride + pair] = bottom_left + bottom_right;
    tall[pair] = top_left + bottom_left;
    tall[kPairStride + pair] = top_right + bottom_right;
    square[pair] = top_left + top_right + bottom_left + bottom_right;
  }
}
