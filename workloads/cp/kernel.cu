#include "kernel.h"

using namespace cp;

// Read by all threads of a warp at the same time.
__constant__ Atom atoms[kMostAtoms];

// Adds what `count` atoms do to the electrostatic potential in a plane: the sum of charges by
// distances. A thread computes points of one row, for which the distance along y is the same.
extern "C" __global__ void coulombic_potential(float* potential, float spacing, int count) {
  const int column = blockIdx.x * (kBlockWidth * kEach) + threadIdx.x;
  const int row = blockIdx.y * kBlockHeight + threadIdx.y;
  const float x = column * spacing;
  const float y = row * spacing;
  const float apart = kBlockWidth * spacing;

  float sums[kEach] = {};
  for (int i = 0; i < count; ++i) {
    const Atom atom = atoms[i];
    const float dy = y - atom.y;
    const float off_row_squared = dy * dy + atom.height_squared;
    float dx = x - atom.x;
#pragma unroll
    for (int point = 0; point < kEach; ++point) {
      sums[point] += atom.charge * rsqrtf(dx * dx + off_row_squared);
      dx += apart;
    }
  }

  potential += row * gridDim.x * (kBlockWidth * kEach) + column;
#pragma unroll
  for (int point = 0; point < kEach; ++point) potential[point * kBlockWidth] += sums[point];
}
