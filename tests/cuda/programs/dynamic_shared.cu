// Dynamic shared memory: a sum by halves.
#include "check.h"

__global__ void sum(const int* values, int* sums) {
  extern __shared__ int part[];
  part[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

int main() {
  constexpr int kBlocks = 6, kThreads = 256;
  int host[kBlocks * kThreads], sums[kBlocks];
  for (int i = 0; i < kBlocks * kThreads; ++i) host[i] = i;
  int *values = nullptr, *result = nullptr;
  CALL(cudaMalloc(&values, sizeof host));
  CALL(cudaMalloc(&result, sizeof sums));
  CALL(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  sum<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(values, result);
  CALL(cudaGetLastError());
  CALL(cudaMemcpy(sums, result, sizeof sums, cudaMemcpyDeviceToHost));
  for (int b = 0; b < kBlocks; ++b) {
    EXPECT(sums[b] == kThreads * (2 * b * kThreads + kThreads - 1) / 2);
  }
  sum<<<1, 32, 49 * 1024>>>(values, result);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  return verdict();
}
