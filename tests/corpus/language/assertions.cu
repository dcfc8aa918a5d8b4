// assert() that holds: the failing path is there, and is not taken.
#include <cassert>

__device__ __noinline__ unsigned halved(unsigned even) {
  assert(even % 2 == 0 && "only even numbers");
  return even / 2;
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(count > 0);
  if (i >= count) return;
  unsigned value = in[i];
  while (value % 2 == 0 && value > 0) value = halved(value);
  out[i] = value;
  if (value != 0 && value % 2 == 0) __trap();
}
