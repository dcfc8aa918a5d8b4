// Fences, volatile accesses, and the last block adding up what all blocks left (threads of a block
// and blocks of a grid speaking to each other through memory).
__device__ unsigned blocks_done = 0;

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ volatile unsigned relay[64];
  __shared__ bool is_last;
  int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  relay[thread] = in[i] % 1000;
  __threadfence_block();
  __syncthreads();
  // A warp without barriers: volatile and warp synchronisation.
  if (thread < 32) {
    relay[thread] += relay[thread + 32];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
      unsigned other = relay[thread + half];
      __syncwarp();
      if (thread < half) relay[thread] += other;
      __syncwarp();
    }
  }
  volatile unsigned* results = out;
  if (thread == 0) {
    results[blockIdx.x] = relay[0];
    __threadfence();
    is_last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && thread == 0) {
    unsigned total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) total += results[block];
    results[gridDim.x] = total;
    __threadfence_system();
    blocks_done = 0;
  }
}
