// A whole grid that synchronises: blocks wait for one another, several times.
#include <cooperative_groups.h>

#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void pass_on(int* values, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const int n = int(grid.size());
  const int i = int(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    // From another block, but for few.
    const int far = values[(i + 2 * n - 37) % n];
    grid.sync();
    values[i] = values[i] * 3 + far;
    grid.sync();
  }
}

__global__ void is_valid(int* result) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *result = cg::this_grid().is_valid();
}

void check(int blocks, dim3 block) {
  const int n = blocks * int(block.x * block.y);
  int rounds = 4;
  int* values = nullptr;
  CALL(cudaMallocManaged(&values, n * sizeof(int)));
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = values[i] = i % 5;
  void* arguments[] = {&values, &rounds};
  CALL(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(pass_on), dim3(blocks), block,
                                   arguments, 0, nullptr));
  CALL(cudaDeviceSynchronize());
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> before = expected;
    for (int i = 0; i < n; ++i) expected[i] = before[i] * 3 + before[(i + 2 * n - 37) % n];
  }
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && values[i] == expected[i];
  EXPECT(right);
  CALL(cudaFree(values));
}

int main() {
  check(1, 64);
  check(7, dim3(16, 4));
  // As many as fit at once, and one more.
  int on_one = 0, multiprocessors = 0;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_one, pass_on, 128, 0));
  CALL(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  check(on_one * multiprocessors, 128);
  int* values = nullptr;
  int rounds = 1;
  CALL(cudaMallocManaged(&values, 32 * sizeof(int)));
  void* arguments[] = {&values, &rounds};
  EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(pass_on),
                                     dim3(on_one * multiprocessors + 1), dim3(128), arguments, 0,
                                     nullptr) == cudaErrorCooperativeLaunchTooLarge);
  CALL(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(is_valid), dim3(1), dim3(32),
                                   arguments, 0, nullptr));
  CALL(cudaDeviceSynchronize());
  EXPECT(*values == 1);
  is_valid<<<1, 32>>>(values);
  CALL(cudaDeviceSynchronize());
  EXPECT(*values == 0);
  cudaGetLastError();
  // Who launches so must mean it.
  pass_on<<<1, 32>>>(values, 1);
  EXPECT(cudaDeviceSynchronize() != cudaSuccess);
  return verdict();
}
