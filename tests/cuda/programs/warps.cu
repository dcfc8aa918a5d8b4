// Warp intrinsics: shuffles, votes, matches, reductions.
#include "check.h"

__global__ void warp(int* out) {
  const int lane = int(threadIdx.x % 32);
  const unsigned all = 0xffffffffu;
  int sum = lane;
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(all, sum, distance);
  const int above = __shfl_down_sync(all, lane, 3);
  const int first = __shfl_sync(all, lane * 10, 5);
  const unsigned odd = __ballot_sync(all, lane % 2);
  const int any = __any_sync(all, lane == 31), every = __all_sync(all, lane < 31);
  const unsigned same = __match_any_sync(all, lane / 8);
  int* const mine = out + 8 * threadIdx.x;
  mine[0] = sum;
  mine[1] = above;
  mine[2] = first;
  mine[3] = int(odd);
  mine[4] = any * 2 + every;
  mine[5] = int(same);
  mine[6] = __popc(__activemask());
  mine[7] = __ffs(int(same));
}

int main() {
  int* out = nullptr;
  CALL(cudaMallocManaged(&out, 64 * 8 * sizeof(int)));
  warp<<<1, 64>>>(out);
  CALL(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32;
    const int* const mine = out + 8 * t;
    EXPECT(mine[0] == 496);
    EXPECT(mine[1] == (lane + 3 < 32 ? lane + 3 : lane));
    EXPECT(mine[2] == 50);
    EXPECT(unsigned(mine[3]) == 0xaaaaaaaau);
    EXPECT(mine[4] == 2);
    EXPECT(unsigned(mine[5]) == 0xffu << (lane / 8 * 8));
    EXPECT(mine[6] == 32);
    EXPECT(mine[7] == lane / 8 * 8 + 1);
  }
  return verdict();
}
