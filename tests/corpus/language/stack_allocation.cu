// Room taken from the stack while the program runs, of a size that only the data tell.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned sum = 0;
  unsigned length = 1 + in[i] % 20;
  unsigned* values = static_cast<unsigned*>(__builtin_alloca(length * sizeof(unsigned)));
  for (unsigned k = 0; k < length; ++k) values[k] = in[(i + k) % count] >> 4;
  for (unsigned k = 0; k < length; ++k) sum = sum * 17 + values[length - 1 - k];
  out[i] = sum;
}
