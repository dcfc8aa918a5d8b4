// Noise is averaged away: a pixel becomes the weighted mean of those around it, where those count
// that are alike. What is compared is the pixels themselves (the neighbourhood filter of
// Yaroslavsky) or patches around them (Buades, Coll, Morel: A non-local algorithm for image
// denoising, 2005).

#include "kernel.h"

__device__ float4 texel(cudaTextureObject_t image, int column, int row) {
  return tex2D<float4>(image, column + 0.5f, row + 0.5f);
}

__device__ float difference(float4 a, float4 b) {
  const float red = a.x - b.x;
  const float green = a.y - b.y;
  const float blue = a.z - b.z;
  return red * red + green * green + blue * blue;
}

// Of the patches around two pixels, by pixel.
template <int radius>
__device__ float patch_difference(cudaTextureObject_t image, int column, int row, int other_column,
                                  int other_row) {
  float sum = 0.0f;
  for (int y = -radius; y <= radius; ++y) {
#pragma unroll
    for (int x = -radius; x <= radius; ++x) {
      sum += difference(texel(image, column + x, row + y),
                        texel(image, other_column + x, other_row + y));
    }
  }
  return sum * (1.0f / ((2 * radius + 1) * (2 * radius + 1)));
}

__device__ float weight(float difference, int x, int y, Falloff falloff) {
  return __expf(-(difference * falloff.by_difference + (x * x + y * y) * falloff.by_distance));
}

// A weighted mean of colours.
struct Mean {
  float red = 0.0f, green = 0.0f, blue = 0.0f, weights = 0.0f;

  __device__ void add(float4 colour, float weight) {
    red += weight * colour.x;
    green += weight * colour.y;
    blue += weight * colour.z;
    weights += weight;
  }
  __device__ unsigned int packed() const {
    const float scale = 255.0f / weights;
    return __float2uint_rn(red * scale) | __float2uint_rn(green * scale) << 8 |
           __float2uint_rn(blue * scale) << 16 | 0xff000000u;
  }
};

extern "C" __global__ void neighbourhood_filter(cudaTextureObject_t image, unsigned int* out,
                                                int width, int height, Falloff falloff) {
  const int column = blockIdx.x * kBlock + threadIdx.x;
  const int row = blockIdx.y * kBlock + threadIdx.y;
  if (column >= width || row >= height) return;
  const float4 middle = texel(image, column, row);
  Mean mean;
  for (int y = -kSearchRadius; y <= kSearchRadius; ++y) {
#pragma unroll
    for (int x = -kSearchRadius; x <= kSearchRadius; ++x) {
      const float4 colour = texel(image, column + x, row + y);
      mean.add(colour, weight(difference(colour, middle), x, y, falloff));
    }
  }
  out[row * width + column] = mean.packed();
}

extern "C" __global__ void non_local_means(cudaTextureObject_t image, unsigned int* out, int width,
                                           int height, Falloff falloff) {
  const int column = blockIdx.x * kBlock + threadIdx.x;
  const int row = blockIdx.y * kBlock + threadIdx.y;
  if (column >= width || row >= height) return;
  Mean mean;
  for (int y = -kSearchRadius; y <= kSearchRadius; ++y) {
    for (int x = -kSearchRadius; x <= kSearchRadius; ++x) {
      const float apart = patch_difference<kPatchRadius>(image, column, row, column + x, row + y);
      mean.add(texel(image, column + x, row + y), weight(apart, x, y, falloff));
    }
  }
  out[row * width + column] = mean.packed();
}

// Patches are compared once for all pixels of a block, around its middle, one offset a thread.
extern "C" __global__ void quick_non_local_means(cudaTextureObject_t image, unsigned int* out,
                                                 int width, int height, Falloff falloff) {
  __shared__ float weights[kSearchSide * kSearchSide];
  static_assert(kSearchSide * kSearchSide <= kBlock * kBlock, "a thread has one offset at most");
  const int thread = threadIdx.y * kBlock + threadIdx.x;
  if (thread < kSearchSide * kSearchSide) {
    const int x = thread % kSearchSide - kSearchRadius;
    const int y = thread / kSearchSide - kSearchRadius;
    const int middle_column = blockIdx.x * kBlock + kBlock / 2;
    const int middle_row = blockIdx.y * kBlock + kBlock / 2;
    const float apart = patch_difference<kSharedPatchRadius>(image, middle_column, middle_row,
                                                             middle_column + x, middle_row + y);
    weights[thread] = weight(apart, x, y, falloff);
  }
  __syncthreads();

  const int column = blockIdx.x * kBlock + threadIdx.x;
  const int row = blockIdx.y * kBlock + threadIdx.y;
  if (column >= width || row >= height) return;
  Mean mean;
  int offset = 0;
  for (int y = -kSearchRadius; y <= kSearchRadius; ++y) {
#pragma unroll
    for (int x = -kSearchRadius; x <= kSearchRadius; ++x) {
      mean.add(texel(image, column + x, row + y), weights[offset++]);
    }
  }
  out[row * width + column] = mean.packed();
}
