// Cooperative groups: tiles of a block, coalesced threads and their collective functions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ unsigned shared[64];
  cg::thread_block block = cg::this_thread_block();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = in[i] % 1000;
  auto tile8 = cg::tiled_partition<8>(block);
  unsigned sum = value;
  for (int distance = tile8.size() / 2; distance > 0; distance /= 2)
    sum += tile8.shfl_down(sum, distance);
  out[i] = tile8.shfl(sum, 0);
  out[count + i] = tile8.meta_group_rank() * 100 + tile8.thread_rank();
  auto tile32 = cg::tiled_partition<32>(block);
  out[2 * count + i] = cg::reduce(tile32, value, cg::plus<unsigned>());
  out[3 * count + i] = cg::reduce(tile8, int(value), cg::greater<int>());
  shared[block.thread_rank()] = value;
  block.sync();
  out[4 * count + i] = shared[block.size() - 1 - block.thread_rank()];
  unsigned rank = 0;
  if (value % 2) {
    auto active = cg::coalesced_threads();
    rank = active.thread_rank() * 100 + active.size();
    rank += active.any(value > 990) ? 10000 : 0;
  }
  out[5 * count + i] = rank;
  out[6 * count + i] = tile32.ballot(value > 500);
  auto halves = cg::tiled_partition<16>(tile32);
  out[7 * count + i] = halves.match_any(value % 2);
}
