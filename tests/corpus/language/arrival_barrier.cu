// A barrier object in shared memory (compute capability 8.0): arriving and waiting apart.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ unsigned stage[64];
  __shared__ alignas(8) unsigned long long barrier;
  int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  unsigned barrier_address = unsigned(__cvta_generic_to_shared(&barrier));
  if (thread == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier_address), "r"(64) : "memory");
  __syncthreads();
  stage[thread] = in[i] + 5;
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(barrier_address)
               : "memory");
  unsigned ready = 0;
  while (!ready)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(ready)
                 : "r"(barrier_address), "l"(token)
                 : "memory");
  out[i] = stage[thread ^ 37];
}
