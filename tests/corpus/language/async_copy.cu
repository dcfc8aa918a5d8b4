// Copies from global to shared memory that run beside the program (compute capability 8.0), by the
// pipeline functions and by assembly with commit groups, and an mbarrier in shared memory.
#include <cuda_pipeline_primitives.h>

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ alignas(16) unsigned stage[2][64 * 4];
  __shared__ alignas(8) unsigned long long barrier;
  int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  const unsigned* source = in + blockIdx.x * 64;
  __pipeline_memcpy_async(&stage[0][thread], source + thread, 4);
  __pipeline_commit();
  unsigned address = unsigned(__cvta_generic_to_shared(&stage[1][thread * 4]));
  if (thread < 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
                 "l"(source + thread * 4));
  else if (thread < 32)  // Fewer bytes than there is room for: the rest is zero.
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(address),
                 "l"(source + (thread - 16) * 4), "r"(8));
  asm volatile("cp.async.commit_group;");
  __pipeline_wait_prior(1);
  __syncthreads();
  out[i] = stage[0][63 - thread];
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[count + i] = stage[1][(thread * 5) % 128];
  unsigned barrier_address = unsigned(__cvta_generic_to_shared(&barrier));
  if (thread == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier_address), "r"(64) : "memory");
  __syncthreads();
  stage[0][thread] = in[i] + 5;
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
  out[2 * count + i] = stage[0][thread ^ 37];
}
