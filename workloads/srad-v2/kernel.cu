// Speckle-reducing anisotropic diffusion (Yu and Acton), an iteration in two kernels: an image
// diffuses, but where it differs from its neighbours by more than speckle does, it flows less. A
// block has a tile of the image in shared memory.

#include "kernel.h"

using namespace srad_v2;

extern "C" __global__ void srad_coefficients(const float* image, float* to_north, float* to_south,
                                             float* to_west, float* to_east, float* coefficients,
                                             int width, int height, float speckle) {
  // The tile with the pixels around it. Beyond the image's edge, pixels are as at the edge.
  __shared__ float tile[kTile + 2][kTile + 2];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = blockIdx.x * kTile + tx;
  const int row = blockIdx.y * kTile + ty;
  const int i = row * width + column;

  tile[ty + 1][tx + 1] = image[i];
  if (ty == 0) tile[0][tx + 1] = image[row > 0 ? i - width : i];
  if (ty == kTile - 1) tile[kTile + 1][tx + 1] = image[row < height - 1 ? i + width : i];
  if (tx == 0) tile[ty + 1][0] = image[column > 0 ? i - 1 : i];
  if (tx == kTile - 1) tile[ty + 1][kTile + 1] = image[column < width - 1 ? i + 1 : i];
  __syncthreads();

  const float here = tile[ty + 1][tx + 1];
  const float north = tile[ty][tx + 1] - here;
  const float south = tile[ty + 2][tx + 1] - here;
  const float west = tile[ty + 1][tx] - here;
  const float east = tile[ty + 1][tx + 2] - here;

  // The gradient's square and the laplacian, both of the image divided by the pixel.
  const float gradient =
      (north * north + south * south + west * west + east * east) / (here * here);
  const float laplacian = (north + south + west + east) / here;
  const float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
  const float denominator = 1.0f + 0.25f * laplacian;
  const float variation = numerator / (denominator * denominator);
  const float beyond = (variation - speckle) / (speckle * (1.0f + speckle));

  // 1 where the pixel varies as speckle does, towards 0 at an edge.
  coefficients[i] = __saturatef(1.0f / (1.0f + beyond));
  to_north[i] = north;
  to_south[i] = south;
  to_west[i] = west;
  to_east[i] = east;
}

// Lets it flow for a short time. Between two pixels, the coefficient is that of the lower or the
// right one, so that as much leaves one as comes to the other.
extern "C" __global__ void srad_update(const float* to_north, const float* to_south,
                                       const float* to_west, const float* to_east,
                                       const float* coefficients, float* image, int width,
                                       int height, float time_step) {
  __shared__ float tile[kTile + 1][kTile + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = blockIdx.x * kTile + tx;
  const int row = blockIdx.y * kTile + ty;
  const int i = row * width + column;

  tile[ty][tx] = coefficients[i];
  if (ty == kTile - 1) tile[kTile][tx] = coefficients[row < height - 1 ? i + width : i];
  if (tx == kTile - 1) tile[ty][kTile] = coefficients[column < width - 1 ? i + 1 : i];
  __syncthreads();

  const float here = tile[ty][tx];
  const float flow = here * to_north[i] + tile[ty + 1][tx] * to_south[i] + here * to_west[i] +
                     tile[ty][tx + 1] * to_east[i];
  image[i] += 0.25f * time_step * flow;
}
