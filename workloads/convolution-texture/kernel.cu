// A filter that is the product of a row and a column, in two passes that read through a texture:
// its cache serves what neighbours read again, and its unit clamps coordinates to the image's edge,
// so that there is neither a tile nor a test for the edge. One pixel a thread.

#include "kernel.h"

// All lanes read the same weight at a time, which is what the constant cache is for.
__constant__ float weights[kTaps];

extern "C" __global__ void convolve_rows(cudaTextureObject_t image, float* out, int width,
                                         int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  // The middle of a texel, which rounding cannot move into the next.
  const float x = column + 0.5f;
  const float y = row + 0.5f;
  float sum = 0.0f;
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) {
    sum += weights[tap] * tex2D<float>(image, x + (tap - kRadius), y);
  }
  out[row * width + column] = sum;
}

extern "C" __global__ void convolve_columns(cudaTextureObject_t image, float* out, int width,
                                            int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float x = column + 0.5f;
  const float y = row + 0.5f;
  float sum = 0.0f;
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) {
    sum += weights[tap] * tex2D<float>(image, x, y + (tap - kRadius));
  }
  out[row * width + column] = sum;
}
