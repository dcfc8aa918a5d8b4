// Prefix sums of a block: the work-efficient tree (Blelloch) and the warp-wise form.
constexpr int kElements = 512;

// Exclusive scan of 2 * blockDim.x elements a block.
extern "C" __global__ void scan_tree(const int* input, int* output, int* block_sums) {
  __shared__ int tree[kElements];
  int thread = threadIdx.x, base = blockIdx.x * kElements;
  tree[2 * thread] = input[base + 2 * thread];
  tree[2 * thread + 1] = input[base + 2 * thread + 1];
  int stride = 1;
  for (int active = kElements / 2; active > 0; active >>= 1, stride *= 2) {
    __syncthreads();
    if (thread < active) {
      int left = stride * (2 * thread + 1) - 1;
      tree[left + stride] += tree[left];
    }
  }
  if (thread == 0) {
    block_sums[blockIdx.x] = tree[kElements - 1];
    tree[kElements - 1] = 0;
  }
  for (int active = 1; active < kElements; active *= 2) {
    stride >>= 1;
    __syncthreads();
    if (thread < active) {
      int left = stride * (2 * thread + 1) - 1;
      int carried = tree[left];
      tree[left] = tree[left + stride];
      tree[left + stride] += carried;
    }
  }
  __syncthreads();
  output[base + 2 * thread] = tree[2 * thread];
  output[base + 2 * thread + 1] = tree[2 * thread + 1];
}

// Inclusive scan of blockDim.x elements with shuffles.
extern "C" __global__ void __launch_bounds__(1024) scan_warps(const unsigned* input,
                                                              unsigned* output) {
  __shared__ unsigned totals[32];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned value = input[i];
  for (int distance = 1; distance < 32; distance *= 2) {
    unsigned below = __shfl_up_sync(~0u, value, distance);
    if (lane >= distance) value += below;
  }
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    unsigned total = lane < blockDim.x / 32 ? totals[lane] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      unsigned below = __shfl_up_sync(~0u, total, distance);
      if (lane >= distance) total += below;
    }
    totals[lane] = total;
  }
  __syncthreads();
  output[i] = value + (warp > 0 ? totals[warp - 1] : 0);
}
