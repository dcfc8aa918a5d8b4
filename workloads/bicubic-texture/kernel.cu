// A picture enlarged in five ways, one thread a pixel: by the nearest texel, by two linear ways
// that leave the work to the texture unit, and by sums over 4 x 4 texels.

#include "kernel.h"

__device__ float texel(cudaTextureObject_t picture, float x, float y) {
  return tex2D<float>(picture, x, y);
}

// Writes what `sample` finds at the thread's pixel.
template <class Sample>
__device__ void render(unsigned int* out, int width, int height, View view, Sample sample) {
  const int column = blockIdx.x * kBlock + threadIdx.x;
  const int row = blockIdx.y * kBlock + threadIdx.y;
  if (column >= width || row >= height) return;
  const float x = (column + 0.5f - 0.5f * width) * view.scale + view.x;
  const float y = (row + 0.5f - 0.5f * height) * view.scale + view.y;
  const unsigned int level = __float2uint_rn(255.0f * __saturatef(sample(x, y)));
  out[row * width + column] = 0xff000000u | level << 16 | level << 8 | level;
}

// The texture unit's own filter, whichever the texture has.
extern "C" __global__ void render_nearest(cudaTextureObject_t nearest, unsigned int* out, int width,
                                          int height, View view) {
  render(out, width, height, view, [=](float x, float y) { return texel(nearest, x, y); });
}

extern "C" __global__ void render_bilinear(cudaTextureObject_t linear, unsigned int* out, int width,
                                           int height, View view) {
  render(out, width, height, view, [=](float x, float y) { return texel(linear, x, y); });
}

// How much each of the four texels around a point counts, `offset` after the second one.
struct Weights {
  float w[4];
};

// The cubic B-spline: never negative, and so a blur.
__device__ Weights b_spline(float offset) {
  const float rest = 1.0f - offset;
  const float sixth = 1.0f / 6.0f;
  return {{sixth * rest * rest * rest, sixth * (4.0f + offset * offset * (3.0f * offset - 6.0f)),
           sixth * (4.0f + rest * rest * (3.0f * rest - 6.0f)), sixth * offset * offset * offset}};
}

// The spline of Catmull and Rom, which goes through the texels.
__device__ Weights catmull_rom(float offset) {
  return {{offset * (-0.5f + offset * (1.0f - 0.5f * offset)),
           1.0f + offset * offset * (-2.5f + 1.5f * offset),
           offset * (0.5f + offset * (2.0f - 1.5f * offset)),
           offset * offset * (-0.5f + 0.5f * offset)}};
}

// The weighted sum of 4 x 4 texels, each read by itself.
template <class Spline>
__device__ float sum_of_sixteen(cudaTextureObject_t nearest, float x, float y, Spline spline) {
  const float left = floorf(x - 0.5f) + 0.5f;
  const float top = floorf(y - 0.5f) + 0.5f;
  const Weights across = spline(x - left);
  const Weights down = spline(y - top);
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    float line = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      line += across.w[i] * texel(nearest, left + (i - 1), top + (j - 1));
    }
    sum += down.w[j] * line;
  }
  return sum;
}

extern "C" __global__ void render_bicubic(cudaTextureObject_t nearest, unsigned int* out, int width,
                                          int height, View view) {
  render(out, width, height, view, [=](float x, float y) {
    return sum_of_sixteen(nearest, x, y, [](float offset) { return b_spline(offset); });
  });
}

extern "C" __global__ void render_catmull_rom(cudaTextureObject_t nearest, unsigned int* out,
                                              int width, int height, View view) {
  render(out, width, height, view, [=](float x, float y) {
    return sum_of_sixteen(nearest, x, y, [](float offset) { return catmull_rom(offset); });
  });
}

// Two texels that lie side by side, with weights of the same sign, are one read between them, where
// the linear filter mixes them as the weights would. Sigg and Hadwiger: Fast Third-Order Texture
// Filtering (GPU Gems 2, 2005).
struct Pairs {
  float first, second;  // Where to read.
  float first_weight, second_weight;
};

__device__ Pairs pairs(float at) {
  const float second_texel = floorf(at - 0.5f) + 0.5f;
  const Weights weights = b_spline(at - second_texel);
  Pairs result;
  result.first_weight = weights.w[0] + weights.w[1];
  result.second_weight = weights.w[2] + weights.w[3];
  result.first = second_texel - 1.0f + weights.w[1] / result.first_weight;
  result.second = second_texel + 1.0f + weights.w[3] / result.second_weight;
  return result;
}

extern "C" __global__ void render_fast_bicubic(cudaTextureObject_t linear, unsigned int* out,
                                               int width, int height, View view) {
  render(out, width, height, view, [=](float x, float y) {
    const Pairs across = pairs(x);
    const Pairs down = pairs(y);
    const float above = across.first_weight * texel(linear, across.first, down.first) +
                        across.second_weight * texel(linear, across.second, down.first);
    const float below = across.first_weight * texel(linear, across.first, down.second) +
                        across.second_weight * texel(linear, across.second, down.second);
    return down.first_weight * above + down.second_weight * below;
  });
}
