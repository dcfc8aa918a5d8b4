// Cooperative groups: the block, tiles of it, and what has diverged.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void groups(int* sums, int* sizes) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  __shared__ int values[128];
  values[block.thread_rank()] = int(block.thread_rank());
  block.sync();
  int sum = values[block.size() - 1 - block.thread_rank()];
  for (int distance = 8; distance > 0; distance /= 2) sum += tile.shfl_down(sum, distance);
  if (tile.thread_rank() == 0) sums[block.thread_rank() / 16] = sum;
  if (block.thread_rank() % 3 == 0) {
    const cg::coalesced_group together = cg::coalesced_threads();
    if (together.thread_rank() == 0) sizes[block.thread_rank() / 32] = int(together.size());
  }
  const int total = cg::reduce(tile, 1, cg::plus<int>());
  if (total != 16) sums[0] = -1;
}

int main() {
  int *sums = nullptr, *sizes = nullptr;
  CALL(cudaMallocManaged(&sums, 8 * sizeof(int)));
  CALL(cudaMallocManaged(&sizes, 4 * sizeof(int)));
  void* arguments[] = {&sums, &sizes};
  CALL(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(groups), dim3(1), dim3(128),
                                   arguments, 0, nullptr));
  CALL(cudaDeviceSynchronize());
  for (int tile = 0; tile < 8; ++tile) {
    int expected = 0;
    for (int i = 0; i < 16; ++i) expected += 127 - (16 * tile + i);
    EXPECT(sums[tile] == expected);
  }
  EXPECT(sizes[0] == 11 && sizes[1] == 11 && sizes[2] == 10 && sizes[3] == 11);
  EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(groups), dim3(1 << 20),
                                     dim3(128), arguments, 0,
                                     nullptr) == cudaErrorCooperativeLaunchTooLarge);
  return verdict();
}
