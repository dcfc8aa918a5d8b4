// Atomics on shared memory and through generic pointers, compare-and-swap of 16, 32 and 64 bits, and
// atomics made of compare-and-swap loops.
__device__ float atomic_multiply(float* address, float factor) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(__int_as_float(assumed) * factor));
  } while (assumed != old);
  return __int_as_float(old);
}

__device__ __noinline__ unsigned generic_add(unsigned* address, unsigned value) {
  return atomicAdd(address, value);
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ unsigned words[8];
  __shared__ unsigned long long wide[2];
  __shared__ unsigned short narrow[2];
  __shared__ float product;
  __shared__ double total;
  int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  if (thread < 8) words[thread] = thread == 3 ? ~0u : 0;
  if (thread < 2) wide[thread] = narrow[thread] = 0;
  if (thread == 0) {
    product = 1.0f;
    total = 0.0;
  }
  __syncthreads();
  unsigned value = in[i];
  atomicAdd(&words[0], value % 100);
  atomicMax((int*)&words[1], int(value >> 1));
  atomicXor(&words[2], value);
  atomicMin(&words[3], value);
  atomicExch(&words[4], 4242u);
  atomicAdd(&wide[0], (unsigned long long)value << 8);
  atomicAdd(&total, 0.25);
  atomic_multiply(&product, thread % 2 ? 2.0f : 0.5f);
  generic_add(thread % 2 ? &words[5] : &words[6], 3);
  unsigned long long seen = wide[1], assumed;
  do {
    assumed = seen;
    seen = atomicCAS(&wide[1], assumed, assumed + thread);
  } while (seen != assumed);
  unsigned short old = narrow[0], expected;
  do {
    expected = old;
    old = atomicCAS(&narrow[0], expected, (unsigned short)(expected + 3));
  } while (old != expected);
  __syncthreads();
  if (thread < 8) out[blockIdx.x * 16 + thread] = words[thread];
  if (thread == 8) out[blockIdx.x * 16 + 8] = unsigned(wide[0]);
  if (thread == 9) out[blockIdx.x * 16 + 9] = unsigned(wide[0] >> 32);
  if (thread == 10) out[blockIdx.x * 16 + 10] = unsigned(wide[1]);
  if (thread == 11) out[blockIdx.x * 16 + 11] = narrow[0] | narrow[1] << 16;
  if (thread == 12) out[blockIdx.x * 16 + 12] = __float_as_uint(product);
  if (thread == 13) out[blockIdx.x * 16 + 13] = unsigned(total * 4.0);
}
