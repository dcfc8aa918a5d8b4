// Static and dynamic shared memory side by side, of several types and alignments, and pointers into
// it that a function gets without knowing their space.
extern __shared__ unsigned char dynamic_bytes[];

__device__ __noinline__ unsigned sum_of(const unsigned* values, int count) {
  unsigned sum = 0;
  for (int k = 0; k < count; ++k) sum += values[k];
  return sum;
}

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ unsigned char small;
  __shared__ double doubles[64];
  __shared__ short shorts[64];
  int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  unsigned* words = reinterpret_cast<unsigned*>(dynamic_bytes);
  unsigned char* bytes = dynamic_bytes + 64 * sizeof(unsigned);
  words[thread] = in[i];
  bytes[63 - thread] = in[i] >> 24;
  doubles[thread ^ 5] = in[i];
  shorts[(thread + 9) % 64] = short(in[i]);
  if (thread == 17) small = blockIdx.x + 3;
  __syncthreads();
  out[i] = words[63 - thread] + small;
  out[count + i] = bytes[thread];
  out[2 * count + i] = unsigned(doubles[thread] / 2.0);
  out[3 * count + i] = shorts[thread];
  out[4 * count + i] = sum_of(thread % 2 ? words : in + blockIdx.x * 64, thread % 8);
}
