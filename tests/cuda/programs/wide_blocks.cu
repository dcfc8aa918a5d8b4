// A kernel of many registers with blocks of 1024 threads, which machines of few registers run all
// the same; variables keep what is in them meanwhile.
#include "check.h"

__device__ int calls = 7;
__managed__ int kept = 5;

__global__ void mix(const float* in, float* out, int rounds) {
  float x[48];
  for (int i = 0; i < 48; ++i) x[i] = in[(threadIdx.x + i) % 1024];
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < 48; ++i) x[i] = x[i] + x[(i + 1) % 48] * 0.5f;
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i) sum += x[i] * float(i);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0) atomicAdd(&calls, kept);
}

int main() {
  float *in = nullptr, *out = nullptr;
  CALL(cudaMallocManaged(&in, 1024 * sizeof(float)));
  CALL(cudaMallocManaged(&out, 2 * 1024 * sizeof(float)));
  for (int i = 0; i < 1024; ++i) in[i] = float(i % 11) / 8;
  kept = 10;
  mix<<<1, 64>>>(in, out + 1024, 3);  // Whose threads are those of the first two warps.
  CALL(cudaDeviceSynchronize());
  mix<<<1, 1024>>>(in, out, 3);
  CALL(cudaDeviceSynchronize());
  bool same = true;
  for (int i = 0; i < 64; ++i) same &= out[i] == out[1024 + i] && out[i] != 0;
  EXPECT(same);
  int count = 0;
  CALL(cudaMemcpyFromSymbol(&count, calls, sizeof count));
  EXPECT(count == 27);
  return verdict();
}
