// __constant__, __device__ and __managed__ variables, read and written from both sides.
#include "check.h"

__constant__ float coefficients[4];
__device__ int counter = 5;
__device__ double table[3] = {1.5, 2.5, 3.5};
__managed__ int shared_by_both = 40;

__global__ void use(float* out) {
  out[threadIdx.x] = coefficients[threadIdx.x] * float(table[threadIdx.x % 3]);
  atomicAdd(&counter, 1);
  if (threadIdx.x == 0) shared_by_both += 2;
}

int main() {
  const float host[4] = {1, 2, 3, 4};
  CALL(cudaMemcpyToSymbol(coefficients, host, sizeof host));
  CALL(cudaMemcpyToSymbol(coefficients, host + 1, sizeof(float), 3 * sizeof(float)));
  float* out = nullptr;
  CALL(cudaMalloc(&out, 4 * sizeof(float)));
  use<<<1, 4>>>(out);
  CALL(cudaDeviceSynchronize());
  float result[4];
  CALL(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  EXPECT(result[0] == 1.5f && result[1] == 5 && result[2] == 10.5f && result[3] == 3);
  int count = 0;
  CALL(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  EXPECT(count == 9);
  EXPECT(shared_by_both == 42);
  shared_by_both = 7;
  use<<<1, 1>>>(out);
  CALL(cudaDeviceSynchronize());
  EXPECT(shared_by_both == 9);
  void* address = nullptr;
  size_t bytes = 0;
  CALL(cudaGetSymbolAddress(&address, table));
  CALL(cudaGetSymbolSize(&bytes, table));
  EXPECT(bytes == 3 * sizeof(double));
  double second = 0;
  CALL(cudaMemcpy(&second, static_cast<double*>(address) + 1, sizeof second,
                  cudaMemcpyDeviceToHost));
  EXPECT(second == 2.5);
  EXPECT(cudaMemcpyToSymbol(counter, host, 8) == cudaErrorInvalidValue);
  return verdict();
}
