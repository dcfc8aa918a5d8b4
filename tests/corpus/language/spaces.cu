// Pointers whose memory space only the data tell, and the questions about where they point.
__device__ unsigned in_global = 77;
__constant__ unsigned in_constant[4] = {5, 6, 7, 8};

__device__ __noinline__ unsigned where(const void* pointer) {
  return __isGlobal(pointer) | __isShared(pointer) << 1 | __isLocal(pointer) << 2 |
         __isConstant(pointer) << 3;
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ unsigned in_shared[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned in_local[4] = {1, 2, 3, 4};
  in_shared[threadIdx.x] = in[i] * 3;
  unsigned* pointer;
  switch (in[i] % 3) {
    case 0: pointer = &in_shared[threadIdx.x]; break;
    case 1: pointer = &in_local[in[i] / 3 % 4]; break;
    default: pointer = out + 2 * count + i; break;
  }
  *pointer = in[i] % 1000;
  out[i] = where(pointer) | where(&in_global) << 4 | (where(&in_constant[in[i] % 4]) & 14) << 8;
  const unsigned* source = in[i] % 2 ? pointer : &in_constant[in[i] % 4];
  out[count + i] = *source + in_local[0] + in_local[1] + in_local[2] + in_local[3];
  if (in[i] % 3 != 2) out[2 * count + i] = 0;
}
