// Speckle-reducing anisotropic diffusion (Yu and Acton): an image diffuses, but where it differs
// from its neighbours by more than speckle does, it flows less. Every kernel has one pixel a
// thread, in blocks of kBlock threads over the pixels one after the other, row by row.

#include "kernel.h"

// Grey levels, from 0 to 255, are logarithms of what the transducer received. Undone, speckle is a
// factor on every pixel.
extern "C" __global__ void extract(const float* levels, float* image, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) image[i] = expf(levels[i] / 255.0f);
}

extern "C" __global__ void compress(const float* image, float* levels, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) levels[i] = logf(image[i]) * 255.0f;
}

// The block's sums, of what every thread brings. The half of the threads that still adds is always
// the lower one, so that whole warps fall idle before lanes do.
__device__ __forceinline__ void sum_block(float value, float square, float* sums, float* squares) {
  __shared__ float shared_sums[kBlock];
  __shared__ float shared_squares[kBlock];
  const int thread = threadIdx.x;
  shared_sums[thread] = value;
  shared_squares[thread] = square;
  for (int half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      shared_sums[thread] += shared_sums[thread + half];
      shared_squares[thread] += shared_squares[thread + half];
    }
  }
  if (thread == 0) {
    sums[blockIdx.x] = shared_sums[0];
    squares[blockIdx.x] = shared_squares[0];
  }
}

// Sums of the pixels and of their squares, for every block.
extern "C" __global__ void sum_pixels(const float* image, float* sums, float* squares, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const float value = i < count ? image[i] : 0.0f;
  sum_block(value, value * value, sums, squares);
}

// Sums of those sums, until one is left.
extern "C" __global__ void sum_partials(const float* from_sums, const float* from_squares,
                                        float* sums, float* squares, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const bool inside = i < count;
  sum_block(inside ? from_sums[i] : 0.0f, inside ? from_squares[i] : 0.0f, sums, squares);
}

// How easily each pixel flows: 1 where it varies as speckle does, towards 0 at an edge. `speckle`
// is the square of speckle's coefficient of variation. The differences from the neighbours are kept
// for the update. Beyond the image's edge, pixels are as at the edge.
extern "C" __global__ void srad_coefficients(const float* image, float* to_north, float* to_south,
                                             float* to_west, float* to_east, float* coefficients,
                                             int width, int height, float speckle) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= width * height) return;
  const int row = i / width;
  const int column = i - row * width;

  const float here = image[i];
  const float north = image[row > 0 ? i - width : i] - here;
  const float south = image[row < height - 1 ? i + width : i] - here;
  const float west = image[column > 0 ? i - 1 : i] - here;
  const float east = image[column < width - 1 ? i + 1 : i] - here;

  // The gradient's square and the laplacian, both of the image divided by the pixel.
  const float gradient =
      (north * north + south * south + west * west + east * east) / (here * here);
  const float laplacian = (north + south + west + east) / here;
  const float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
  const float denominator = 1.0f + 0.25f * laplacian;
  const float variation = numerator / (denominator * denominator);
  const float beyond = (variation - speckle) / (speckle * (1.0f + speckle));

  to_north[i] = north;
  to_south[i] = south;
  to_west[i] = west;
  to_east[i] = east;
  coefficients[i] = fminf(fmaxf(1.0f / (1.0f + beyond), 0.0f), 1.0f);
}

// Lets it flow for a short time. Between two pixels, the coefficient is that of the lower or the
// right one, so that as much leaves one as comes to the other.
extern "C" __global__ void srad_update(const float* to_north, const float* to_south,
                                       const float* to_west, const float* to_east,
                                       const float* coefficients, float* image, int width,
                                       int height, float time_step) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= width * height) return;
  const int row = i / width;
  const int column = i - row * width;

  const float here = coefficients[i];
  const float south = coefficients[row < height - 1 ? i + width : i];
  const float east = coefficients[column < width - 1 ? i + 1 : i];
  const float flow =
      here * to_north[i] + south * to_south[i] + here * to_west[i] + east * to_east[i];
  image[i] += 0.25f * time_step * flow;
}
