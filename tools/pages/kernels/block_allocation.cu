// The microbenchmark of Xiang et al., Warp-Level Divergence in GPUs, Figure 1. The first warp of
// each block runs for a given time, and the other warps end at once. How many blocks run at once
// shows whether a multiprocessor allocates its resources to blocks or to warps.
// tools/pages/warp_divergence.py runs the kernel.

namespace {

/// As many values as make Heddle's compiler allocate the paper's 32 registers per thread.
constexpr int kLiveValues = 26;

/// Keeps these values alive, if it is called. The kernel has the registers that this function needs
/// in any case.
__device__ void bloat_occupancy(float* data) {
  float values[kLiveValues];
#pragma unroll
  for (int i = 0; i < kLiveValues; ++i) values[i] = data[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kLiveValues; ++i) data[i] = values[i] * values[(i + 1) % kLiveValues];
}

}  // namespace

extern "C" __global__ void block_allocation(unsigned* begins, unsigned* ends, unsigned delay,
                                            float* data, int call) {
  if (call != 0) bloat_occupancy(data);
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned begin = static_cast<unsigned>(clock());
  if (threadIdx.x < 32) {
    unsigned passed = 0;
    while (passed < delay) passed = static_cast<unsigned>(clock()) - begin;
  }
  begins[index] = begin;
  ends[index] = static_cast<unsigned>(clock());
}
