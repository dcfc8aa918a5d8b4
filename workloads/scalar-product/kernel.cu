// Scalar products of many pairs of vectors: a block takes one pair after the other.

namespace {

constexpr int kAccumulators = 1024;

}  // namespace

// results[p] = the sum of a[p][i] * b[p][i] over `length` elements of pair p.
extern "C" __global__ void scalar_product(const float* a, const float* b, float* results, int pairs,
                                          int length) {
  // More of them than threads: four independent sums a thread hide each other's latency.
  __shared__ float sums[kAccumulators];

  for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
    const float* x = a + static_cast<size_t>(pair) * length;
    const float* y = b + static_cast<size_t>(pair) * length;
    for (int slot = threadIdx.x; slot < kAccumulators; slot += blockDim.x) {
      float sum = 0;
      for (int i = slot; i < length; i += kAccumulators) sum += x[i] * y[i];
      sums[slot] = sum;
    }
    // Neighbouring threads add neighbouring sums, so that whole warps drop out first.
    for (int half = kAccumulators / 2; half > 0; half /= 2) {
      __syncthreads();
      for (int slot = threadIdx.x; slot < half; slot += blockDim.x) sums[slot] += sums[slot + half];
    }
    if (threadIdx.x == 0) results[pair] = sums[0];
    // The last sums have been read before the next pair's come in their place.
    __syncthreads();
  }
}
