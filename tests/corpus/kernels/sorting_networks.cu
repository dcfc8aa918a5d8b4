// Bitonic sort and odd-even merge sort of keys with values, a block's share in shared memory.
constexpr unsigned kShared = 512;

__device__ inline void compare_exchange(unsigned& key_a, unsigned& value_a, unsigned& key_b,
                                        unsigned& value_b, bool ascending) {
  if ((key_a > key_b) == ascending) {
    unsigned swapped = key_a;
    key_a = key_b, key_b = swapped;
    swapped = value_a;
    value_a = value_b, value_b = swapped;
  }
}

extern "C" __global__ void bitonic_sort(unsigned* keys, unsigned* values, unsigned length,
                                        bool ascending) {
  __shared__ unsigned key[kShared], value[kShared];
  keys += blockIdx.x * kShared + threadIdx.x;
  values += blockIdx.x * kShared + threadIdx.x;
  key[threadIdx.x] = keys[0];
  value[threadIdx.x] = values[0];
  key[threadIdx.x + kShared / 2] = keys[kShared / 2];
  value[threadIdx.x + kShared / 2] = values[kShared / 2];
  for (unsigned size = 2; size < length; size *= 2) {
    bool direction = ascending ^ ((threadIdx.x & size / 2) != 0);
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      compare_exchange(key[at], value[at], key[at + stride], value[at + stride], direction);
    }
  }
  for (unsigned stride = length / 2; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    compare_exchange(key[at], value[at], key[at + stride], value[at + stride], ascending);
  }
  __syncthreads();
  keys[0] = key[threadIdx.x];
  values[0] = value[threadIdx.x];
  keys[kShared / 2] = key[threadIdx.x + kShared / 2];
  values[kShared / 2] = value[threadIdx.x + kShared / 2];
}

extern "C" __global__ void odd_even_merge_sort(unsigned* keys, unsigned* values) {
  __shared__ unsigned key[kShared], value[kShared];
  keys += blockIdx.x * kShared + threadIdx.x;
  values += blockIdx.x * kShared + threadIdx.x;
  for (unsigned i = 0; i < kShared; i += kShared / 2) {
    key[threadIdx.x + i] = keys[i];
    value[threadIdx.x + i] = values[i];
  }
  for (unsigned size = 2; size <= kShared; size *= 2) {
    unsigned stride = size / 2, offset = threadIdx.x & (stride - 1);
    __syncthreads();
    unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    compare_exchange(key[at], value[at], key[at + stride], value[at + stride], true);
    for (stride /= 2; stride > 0; stride /= 2) {
      __syncthreads();
      at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (offset >= stride)
        compare_exchange(key[at - stride], value[at - stride], key[at], value[at], true);
    }
  }
  __syncthreads();
  for (unsigned i = 0; i < kShared; i += kShared / 2) {
    keys[i] = key[threadIdx.x + i];
    values[i] = value[threadIdx.x + i];
  }
}
