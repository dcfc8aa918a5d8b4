// A picture of a volume by casting rays (Levoy: Display of surfaces from volume data, 1988): along
// the ray of its pixel a thread samples the density, a transfer function gives each density a
// colour and an opacity, and they are laid one behind the other, from the front.

#include "kernel.h"

using volume_render::Camera;
using volume_render::kBlock;
using volume_render::kBorder;
using volume_render::kSlicesAcross;
using volume_render::March;
using volume_render::Point;

__constant__ Camera camera;

struct Stretch {
  float near, far;
};

// Where the line crosses the two planes at -1 and 1 of one axis.
__device__ Stretch between_planes(float from, float along) {
  const float inverse = 1.0f / along;
  const float low = (-1.0f - from) * inverse;
  const float high = (1.0f - from) * inverse;
  return {fminf(low, high), fmaxf(low, high)};
}

// Where it is in the box: nowhere if `near` is not less than `far`.
__device__ Stretch in_box(Point from, Point along) {
  const Stretch x = between_planes(from.x, along.x);
  const Stretch y = between_planes(from.y, along.y);
  const Stretch z = between_planes(from.z, along.z);
  return {fmaxf(fmaxf(x.near, y.near), fmaxf(z.near, 0.0f)), fminf(fminf(x.far, y.far), z.far)};
}

__device__ float in_slice(cudaTextureObject_t volume, int side, float x, float y, int slice) {
  const int pitch = side + 2 * kBorder;
  const int left = slice % kSlicesAcross * pitch + kBorder;
  const int top = slice / kSlicesAcross * pitch + kBorder;
  return tex2D<float>(volume, left + x, top + y);
}

// The density at a point of the box: the texture unit filters within two slices, and the rest is
// done here.
__device__ float density(cudaTextureObject_t volume, int side, float x, float y, float z) {
  const float half = 0.5f * side;
  const float texel_x = (x + 1.0f) * half;
  const float texel_y = (y + 1.0f) * half;
  const float height = (z + 1.0f) * half - 0.5f;
  const float below = floorf(height);
  const int slice = static_cast<int>(below);
  const float lower = in_slice(volume, side, texel_x, texel_y, max(slice, 0));
  const float upper = in_slice(volume, side, texel_x, texel_y, min(slice + 1, side - 1));
  return lower + (height - below) * (upper - lower);
}

__device__ unsigned int level(float value) { return __float2uint_rn(255.0f * __saturatef(value)); }

extern "C" __global__ void render_volume(cudaTextureObject_t volume, cudaTextureObject_t transfer,
                                         unsigned int* picture, int width, int height,
                                         March march) {
  const int column = blockIdx.x * kBlock + threadIdx.x;
  const int row = blockIdx.y * kBlock + threadIdx.y;
  if (column >= width || row >= height) return;

  const Point eye = camera.eye;
  Point along = {camera.corner.x + column * camera.right.x + row * camera.down.x,
                 camera.corner.y + column * camera.right.y + row * camera.down.y,
                 camera.corner.z + column * camera.right.z + row * camera.down.z};
  const float inverse = rsqrtf(along.x * along.x + along.y * along.y + along.z * along.z);
  along = {along.x * inverse, along.y * inverse, along.z * inverse};
  const Stretch ray = in_box(eye, along);

  float red = 0.0f, green = 0.0f, blue = 0.0f, opacity = 0.0f;
  float samples = 0.0f;
  for (float at = ray.near; at < ray.far; at = ray.near + samples * march.step) {
    const float found = density(volume, march.side, eye.x + at * along.x, eye.y + at * along.y,
                                eye.z + at * along.z);
    const float4 colour = tex2D<float4>(transfer, found, 0.5f);
    const float share = (1.0f - opacity) * march.opacity * colour.w;
    red += share * colour.x;
    green += share * colour.y;
    blue += share * colour.z;
    opacity += share;
    if (opacity > volume_render::kOpaque) break;
    samples += 1.0f;
  }
  picture[row * width + column] =
      level(red) | level(green) << 8 | level(blue) << 16 | level(opacity) << 24;
}
