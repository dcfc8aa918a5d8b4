// Device lambdas with captures (--extended-lambda).
#include "check.h"

template <class F>
__global__ void for_each(int count, F function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) function(i);
}

int main() {
  constexpr int kCount = 500;
  int* values = nullptr;
  CALL(cudaMallocManaged(&values, kCount * sizeof(int)));
  const int factor = 7;
  const long long offset = 1LL << 20;
  for_each<<<4, 128>>>(kCount, [=] __device__(int i) { values[i] = int(factor * i + offset); });
  for_each<<<4, 128>>>(kCount, [values] __device__(int i) { atomicAdd(values + i, 1); });
  CALL(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < kCount; ++i) right &= values[i] == factor * i + offset + 1;
  EXPECT(right);
  CALL(cudaFree(values));
  return verdict();
}
