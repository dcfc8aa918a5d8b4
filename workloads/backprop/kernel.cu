// The two passes over the weights between a wide input layer and the hidden layer, in a step of
// training by back-propagation. Unit 0 of the input layer is its bias, which is always one; a row
// of `weights` is a unit's, from 0 up.

#include "kernel.h"

using namespace backprop;

// What the block's 16 input units add to each hidden unit. The host adds up the blocks.
extern "C" __global__ void layer_forward(const float* input, const float* weights,
                                         float* partial_sums) {
  __shared__ float units[kTile];
  __shared__ float products[kTile][kHidden];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int unit = 1 + blockIdx.y * kTile + ty;

  if (tx == 0) units[ty] = input[unit];
  products[ty][tx] = weights[unit * kPitch + tx + 1];
  __syncthreads();
  products[ty][tx] *= units[ty];
  __syncthreads();
  // A tree over the rows: first neighbours, in the end the two halves.
  for (int apart = 1; apart < kTile; apart *= 2) {
    if (ty % (2 * apart) == 0) products[ty][tx] += products[ty + apart][tx];
    __syncthreads();
  }
  if (ty == 0) partial_sums[blockIdx.y * kHidden + tx] = products[0][tx];
}

__device__ __forceinline__ void adjust(float* weight, float* change, float step) {
  const float next = step + kMomentum * *change;
  *weight += next;
  *change = next;
}

// `deltas`: by how much the error falls with each hidden unit's sum. `changes` are those that the
// last step made to the weights.
extern "C" __global__ void adjust_weights(const float* input, const float* deltas, float rate,
                                          float* weights, float* changes) {
  const int tx = threadIdx.x;
  const int unit = 1 + blockIdx.y * kTile + threadIdx.y;
  const int cell = unit * kPitch + tx + 1;
  const float step = rate * deltas[tx];

  adjust(&weights[cell], &changes[cell], step * input[unit]);
  // The bias has no tile of its own.
  if (blockIdx.y == 0 && threadIdx.y == 0) adjust(&weights[tx + 1], &changes[tx + 1], step);
}
