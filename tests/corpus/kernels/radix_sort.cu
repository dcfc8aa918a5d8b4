// One pass of a radix sort by four bits: digit counts of each block, then the scatter; ranks come
// from warp-wide matching.
constexpr int kDigits = 16;

extern "C" __global__ void radix_count(const unsigned* keys, unsigned* counts, int count,
                                       int shift) {
  __shared__ unsigned digits[kDigits];
  if (threadIdx.x < kDigits) digits[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&digits[keys[i] >> shift & (kDigits - 1)], 1u);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = digits[threadIdx.x];
}

// `offsets` is the exclusive scan of `counts`; a block has 256 threads, the count is a multiple.
extern "C" __global__ void __launch_bounds__(256)
    radix_scatter(const unsigned* keys, unsigned* sorted, const unsigned* offsets, int shift) {
  __shared__ unsigned warp_counts[8][kDigits];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned digit = key >> shift & (kDigits - 1);
  unsigned same = ~0u;
#pragma unroll
  for (int bit = 0; bit < 4; ++bit) {
    unsigned set = __ballot_sync(~0u, digit >> bit & 1);
    same &= digit >> bit & 1 ? set : ~set;
  }
  unsigned rank = __popc(same & ((1u << lane) - 1));
  if (lane < kDigits) warp_counts[warp][lane] = 0;
  __syncwarp();
  if (rank == 0) warp_counts[warp][digit] = __popc(same);
  __syncthreads();
  for (int before = 0; before < warp; ++before) rank += warp_counts[before][digit];
  sorted[offsets[digit * gridDim.x + blockIdx.x] + rank] = key;
}
