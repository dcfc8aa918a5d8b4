// Keeps the elements that pass a test, in order within a warp, with one atomic a warp.
extern "C" __global__ void compact_positive(const float* input, float* output, int* length,
                                            int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  float value = i < count ? input[i] : -1.0f;
  bool keep = value > 0.0f;
  unsigned kept = __ballot_sync(~0u, keep);
  if (kept == 0) return;
  int leader = __ffs(kept) - 1, first = 0;
  if (lane == leader) first = atomicAdd(length, __popc(kept));
  first = __shfl_sync(~0u, first, leader);
  if (keep) output[first + __popc(kept & ((1u << lane) - 1))] = value;
}

// The same in the order of the input: a scan of the block, and where blocks start given.
extern "C" __global__ void compact_ordered(const int* input, const int* block_starts, int* output,
                                           int count) {
  __shared__ int warp_totals[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int value = i < count ? input[i] : 0;
  unsigned kept = __ballot_sync(~0u, value & 1);
  if (lane == 0) warp_totals[warp] = __popc(kept);
  __syncthreads();
  int first = block_starts[blockIdx.x];
  for (int w = 0; w < warp; ++w) first += warp_totals[w];
  if (value & 1) output[first + __popc(kept & ((1u << lane) - 1))] = value;
}
