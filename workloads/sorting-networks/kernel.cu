// Two sorting networks, bitonic and odd-even merge sort (Batcher, 1968), over pairs of a key and a
// value. Many arrays of one length lie behind one another; the length is a power of two and at
// least kPerBlock. Every thread has one comparator of each step of the network.
//
// As long as what is merged fits in a block, all happens in shared memory; beyond, the host
// launches a kernel for each step.

#include "kernel.h"

// Puts pairs `low` and `high` in ascending order of their keys, or in descending order.
__device__ void compare_exchange(unsigned* keys, unsigned* values, unsigned low, unsigned high,
                                 bool descending) {
  const unsigned low_key = keys[low];
  const unsigned high_key = keys[high];
  if ((low_key > high_key) != descending) {
    keys[low] = high_key;
    keys[high] = low_key;
    const unsigned value = values[low];
    values[low] = values[high];
    values[high] = value;
  }
}

// The lower element of comparator number `i` where those that are compared lie `stride` apart, in
// groups of 2 * stride.
__device__ unsigned lower_of(unsigned i, unsigned stride) { return 2 * i - (i & (stride - 1)); }

__device__ void load_tile(unsigned* keys, unsigned* values, const unsigned* from_keys,
                          const unsigned* from_values) {
  const unsigned first = blockIdx.x * kPerBlock + threadIdx.x;
  keys[threadIdx.x] = from_keys[first];
  keys[threadIdx.x + kThreads] = from_keys[first + kThreads];
  values[threadIdx.x] = from_values[first];
  values[threadIdx.x + kThreads] = from_values[first + kThreads];
}

__device__ void store_tile(const unsigned* keys, const unsigned* values, unsigned* to_keys,
                           unsigned* to_values) {
  const unsigned first = blockIdx.x * kPerBlock + threadIdx.x;
  to_keys[first] = keys[threadIdx.x];
  to_keys[first + kThreads] = keys[threadIdx.x + kThreads];
  to_values[first] = values[threadIdx.x];
  to_values[first + kThreads] = values[threadIdx.x + kThreads];
}

// All but the last merge of a tile alternate in direction, so that every two results make up a
// bitonic sequence. The tiles alternate themselves, where there are more in an array.
extern "C" __global__ void bitonic_sort_tiles(const unsigned* from_keys,
                                              const unsigned* from_values, unsigned* to_keys,
                                              unsigned* to_values, unsigned length) {
  __shared__ unsigned keys[kPerBlock];
  __shared__ unsigned values[kPerBlock];
  load_tile(keys, values, from_keys, from_values);
  const unsigned comparator = (blockIdx.x * kThreads + threadIdx.x) & (length / 2 - 1);
  for (unsigned size = 2; size <= kPerBlock; size *= 2) {
    const bool descending = comparator & (size / 2) & (length / 2 - 1);
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = lower_of(threadIdx.x, stride);
      compare_exchange(keys, values, low, low + stride, descending);
    }
  }
  __syncthreads();
  store_tile(keys, values, to_keys, to_values);
}

// One step of merging stretches of `size`, with elements of different tiles.
extern "C" __global__ void bitonic_merge_step(unsigned* keys, unsigned* values, unsigned length,
                                              unsigned size, unsigned stride) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  const bool descending = i & (size / 2) & (length / 2 - 1);
  const unsigned low = lower_of(i, stride);
  compare_exchange(keys, values, low, low + stride, descending);
}

// The last steps of merging stretches of `size`: those within a tile.
extern "C" __global__ void bitonic_merge_tiles(unsigned* keys, unsigned* values, unsigned length,
                                               unsigned size) {
  __shared__ unsigned tile_keys[kPerBlock];
  __shared__ unsigned tile_values[kPerBlock];
  load_tile(tile_keys, tile_values, keys, values);
  const bool descending = (blockIdx.x * kThreads + threadIdx.x) & (size / 2) & (length / 2 - 1);
  for (unsigned stride = kThreads; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned low = lower_of(threadIdx.x, stride);
    compare_exchange(tile_keys, tile_values, low, low + stride, descending);
  }
  __syncthreads();
  store_tile(tile_keys, tile_values, keys, values);
}

// The first step of an odd-even merge of stretches of `size` compares their halves.
__device__ void odd_even_first(unsigned* keys, unsigned* values, unsigned i, unsigned size) {
  const unsigned low = lower_of(i, size / 2);
  compare_exchange(keys, values, low, low + size / 2, false);
}

// The other steps leave the first and the last `stride` elements of each stretch alone.
__device__ void odd_even_next(unsigned* keys, unsigned* values, unsigned i, unsigned size,
                              unsigned stride) {
  const unsigned high = lower_of(i, stride);
  if ((i & (size / 2 - 1)) >= stride) compare_exchange(keys, values, high - stride, high, false);
}

extern "C" __global__ void odd_even_sort_tiles(const unsigned* from_keys,
                                               const unsigned* from_values, unsigned* to_keys,
                                               unsigned* to_values) {
  __shared__ unsigned keys[kPerBlock];
  __shared__ unsigned values[kPerBlock];
  load_tile(keys, values, from_keys, from_values);
  for (unsigned size = 2; size <= kPerBlock; size *= 2) {
    __syncthreads();
    odd_even_first(keys, values, threadIdx.x, size);
    for (unsigned stride = size / 4; stride > 0; stride /= 2) {
      __syncthreads();
      odd_even_next(keys, values, threadIdx.x, size, stride);
    }
  }
  __syncthreads();
  store_tile(keys, values, to_keys, to_values);
}

// One step of merging stretches beyond a tile. Whatever the stride, some comparators reach from one
// tile into the next, so that there is no kernel that does more steps at once.
extern "C" __global__ void odd_even_merge_step(unsigned* keys, unsigned* values, unsigned size,
                                               unsigned stride) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  if (stride == size / 2) {
    odd_even_first(keys, values, i, size);
  } else {
    odd_even_next(keys, values, i, size, stride);
  }
}
