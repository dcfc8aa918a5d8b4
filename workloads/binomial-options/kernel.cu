// European call options on a binomial tree: one block an option. What the option is worth at the
// nodes of one moment, its front, lies in global memory; tiles of it go back in time by kDepth
// steps at once in shared memory.

#include "kernel.h"

using namespace binomial_options;

__constant__ Option options[kMostOptions];

// What the option pays at expiry after `node` moves up and the others down.
__device__ float payoff(const Option& option, int node, int steps) {
  const float price = option.spot * expf(option.move * (2 * node - steps));
  return fmaxf(price - option.strike, 0.0f);
}

extern "C" __global__ void price_options(float* fronts, float* prices, int steps) {
  __shared__ float now[kThreads];
  __shared__ float earlier[kThreads];

  const int thread = threadIdx.x;
  const Option option = options[blockIdx.x];
  float* front = fronts + blockIdx.x * (steps + 1);
#pragma unroll 1
  for (int node = thread; node <= steps; node += kThreads) {
    front[node] = payoff(option, node, steps);
  }

  // At `level` steps after the start there are level + 1 nodes. A node one step earlier needs
  // itself and the next one, so that a tile loses a node in each step, and tiles overlap by kDepth
  // nodes.
  for (int level = steps; level > 0; level -= kDepth) {
    const int depth = min(kDepth, level);
    for (int first = 0; first <= level - depth; first += kThreads - kDepth) {
      const int width = min(kThreads, level + 1 - first);
      __syncthreads();  // The front is as the last pass left it, and the last tile is done with.
      if (thread < width) {
        now[thread] = front[first + thread];
      }
      // Two steps a turn, there and back. The number of steps is even.
#pragma unroll 1
      for (int left = width - 1; left > width - depth; left -= 2) {
        __syncthreads();
        if (thread < left) {
          earlier[thread] = option.up * now[thread + 1] + option.down * now[thread];
        }
        __syncthreads();
        if (thread < left - 1) {
          now[thread] = option.up * earlier[thread + 1] + option.down * earlier[thread];
        }
      }
      // The next tile starts with the first node that is not stored here. A thread stores what it
      // has computed itself.
      if (thread < width - depth) front[first + thread] = now[thread];
    }
  }
  if (thread == 0) prices[blockIdx.x] = front[0];
}
