// Copies from global to shared memory that run beside the program (compute capability 8.0), by the
// pipeline functions and by assembly with commit groups.
#include <cuda_pipeline_primitives.h>

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ alignas(16) unsigned stage[2][64 * 4];
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
}
