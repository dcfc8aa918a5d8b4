// malloc, free, new and delete in kernels.
#include "check.h"

__global__ void build(int** lists) {
  int* const list = static_cast<int*>(malloc((threadIdx.x + 1) * sizeof(int)));
  for (unsigned i = 0; i <= threadIdx.x; ++i) list[i] = int(i * threadIdx.x);
  lists[threadIdx.x] = list;
}
__global__ void add_up(int** lists, int* sums) {
  int* const copy = new int[threadIdx.x + 1];
  for (unsigned i = 0; i <= threadIdx.x; ++i) copy[i] = lists[threadIdx.x][i];
  int sum = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i) sum += copy[i];
  sums[threadIdx.x] = sum;
  delete[] copy;
  free(lists[threadIdx.x]);
}

int main() {
  CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  size_t bytes = 0;
  CALL(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  EXPECT(bytes == 16 << 20);
  int **lists = nullptr, *sums = nullptr;
  CALL(cudaMalloc(&lists, 64 * sizeof(int*)));
  CALL(cudaMallocManaged(&sums, 64 * sizeof(int)));
  build<<<1, 64>>>(lists);
  add_up<<<1, 64>>>(lists, sums);
  CALL(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) EXPECT(sums[t] == t * t * (t + 1) / 2);
  return verdict();
}
