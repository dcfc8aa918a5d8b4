// Cooperative groups of several warps: tiles of 64 to 512 threads, which use the shared memory that
// CUDA reserves.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 512;
constexpr int kBlocks = 3;

struct Row {
  int sum, maximum, shuffled, before, any, all, group;
};

__device__ int value_of(int thread) { return (thread * 37 + 11) % 101; }

template <int kSize>
__global__ void tiles(Row* rows) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kSize>(block);
  const int thread = int(block.thread_rank());
  Row& row = rows[blockIdx.x * kThreads + thread];
  const int value = value_of(thread);
  row.sum = cg::reduce(tile, value, cg::plus<int>());
  row.maximum = cg::reduce(tile, value, cg::greater<int>());
  row.shuffled = tile.shfl(value, kSize - 3);
  row.before = cg::exclusive_scan(tile, value, cg::plus<int>());
  row.any = tile.any(value == 100);
  row.all = tile.all(value < 100);
  tile.sync();
  row.group = int(tile.meta_group_rank());
}

template <int kSize>
void check(Row* rows) {
  tiles<kSize><<<kBlocks, kThreads>>>(rows);
  CALL(cudaDeviceSynchronize());
  for (int thread = 0; thread < kBlocks * kThreads; ++thread) {
    const int in_block = thread % kThreads;
    const int first = in_block / kSize * kSize;
    Row expected{};
    expected.all = 1;
    expected.group = in_block / kSize;
    for (int other = first; other < first + kSize; ++other) {
      const int value = (other * 37 + 11) % 101;
      if (other < in_block) expected.before += value;
      if (other == first + kSize - 3) expected.shuffled = value;
      if (value > expected.maximum) expected.maximum = value;
      expected.sum += value;
      if (value == 100) expected.any = 1;
      if (value >= 100) expected.all = 0;
    }
    const Row& row = rows[thread];
    EXPECT(row.sum == expected.sum);
    EXPECT(row.maximum == expected.maximum);
    EXPECT(row.shuffled == expected.shuffled);
    EXPECT(row.before == expected.before);
    EXPECT((row.any != 0) == (expected.any != 0));
    EXPECT((row.all != 0) == (expected.all != 0));
    EXPECT(row.group == expected.group);
  }
}

int main() {
  Row* rows = nullptr;
  CALL(cudaMallocManaged(&rows, kBlocks * kThreads * sizeof(Row)));
  check<64>(rows);
  check<128>(rows);
  check<256>(rows);
  check<512>(rows);
  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(&attributes, tiles<64>));
  EXPECT(attributes.sharedSizeBytes == 0);
  return verdict();
}
