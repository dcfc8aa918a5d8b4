// Calls through tables of function pointers, with targets that differ inside a warp.
using Operation = unsigned (*)(unsigned, unsigned);

__device__ unsigned add(unsigned a, unsigned b) { return a + b; }
__device__ unsigned subtract(unsigned a, unsigned b) { return a - b; }
__device__ unsigned multiply(unsigned a, unsigned b) { return a * b; }
__device__ unsigned mix(unsigned a, unsigned b) {
  for (unsigned k = 0; k < b % 5; ++k) a = a * 31 + b;
  return a;
}

__device__ Operation global_table[4] = {add, subtract, multiply, mix};
__constant__ Operation constant_table[2] = {multiply, add};

__device__ __noinline__ unsigned apply_twice(Operation f, unsigned a, unsigned b) {
  return f(f(a, b), b);
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned a = in[i], b = in[count + i];
  out[i] = global_table[a % 4](a, b);
  out[count + i] = constant_table[blockIdx.x % 2](a, b);
  out[2 * count + i] = apply_twice(global_table[b % 4], a, b);
  Operation chosen = a > b ? &mix : &subtract;
  out[3 * count + i] = chosen(b, a);
}
