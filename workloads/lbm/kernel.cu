// Gas in a box whose lid moves, by the lattice Boltzmann method (Bhatnagar, Gross and Krook's
// collisions): in each cell parts of the gas collide, then each moves on to the next cell.

#include "kernel.h"

using namespace lbm;

namespace {

struct Direction {
  int x, y, z;
};

// What can be read while loops are unrolled.
__device__ constexpr Direction direction(int i) {
  constexpr Direction directions[kDirections] = {
      {0, 0, 0},                                       // rests
      {1, 0, 0}, {-1, 0, 0},  {0, 1, 0},  {0, -1, 0},  // through faces
      {0, 0, 1}, {0, 0, -1},                           //
      {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},  // across edges
      {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},  //
      {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
  return directions[i];
}

// What share of gas at rest moves that way.
__device__ constexpr float weight(int i) {
  return i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
}

__device__ void collide(float (&parts)[kDirections], bool under_lid) {
  float density = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
#pragma unroll
  for (int i = 0; i < kDirections; ++i) {
    density += parts[i];
    x += direction(i).x * parts[i];
    y += direction(i).y * parts[i];
    z += direction(i).z * parts[i];
  }
  x /= density;
  y /= density;
  z /= density;
  if (under_lid) {
    x = kLidX;
    y = kLidY;
    z = 0.0f;
  }
  const float rest = 1.0f - 1.5f * (x * x + y * y + z * z);
#pragma unroll
  for (int i = 0; i < kDirections; ++i) {
    const float along = direction(i).x * x + direction(i).y * y + direction(i).z * z;
    const float equilibrium = weight(i) * density * (along * (4.5f * along + 3.0f) + rest);
    parts[i] = (1.0f - kOmega) * parts[i] + kOmega * equilibrium;
  }
}

// What is solid sends all back.
__device__ void reflect(float (&parts)[kDirections]) {
#pragma unroll
  for (int i = 1; i < kDirections; i += 2) {
    const float there = parts[i];
    parts[i] = parts[i + 1];
    parts[i + 1] = there;
  }
}

}  // namespace

// A step, from one copy of the gas to the other: all cells' first parts, then all second ones, and
// so on, each at `stride` after the one before. There is room before and after them for what leaves
// the box through its walls, which are solid: that never comes back.
extern "C" __global__ void lbm_step(const float* from, float* to, const unsigned char* kinds,
                                    int stride) {
  const int height = gridDim.x;
  const int cell = (blockIdx.y * height + blockIdx.x) * kWidth + threadIdx.x;

  float parts[kDirections];
#pragma unroll
  for (int i = 0; i < kDirections; ++i) parts[i] = from[i * stride + cell];

  const int kind = kinds[cell];
  if (kind == kSolid) {
    reflect(parts);
  } else {
    collide(parts, kind == kUnderLid);
  }

#pragma unroll
  for (int i = 0; i < kDirections; ++i) {
    const Direction next = direction(i);
    to[i * stride + cell + (next.z * height + next.y) * kWidth + next.x] = parts[i];
  }
}
