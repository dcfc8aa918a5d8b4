// printf on the device, in between the host's.
#include "check.h"

__global__ void say(const char* unused, int base) {
  printf("thread %d of block %u: %5.2f %s %llx %c%%\n", int(threadIdx.x) + base, blockIdx.x,
         threadIdx.x * 1.5, threadIdx.x == 0 ? "zero" : "other", 0x123456789abcdefull, 'x');
}

int main() {
  std::printf("before\n");
  say<<<2, 2>>>(nullptr, 10);
  CALL(cudaDeviceSynchronize());
  std::printf("between\n");
  say<<<1, 1>>>(nullptr, 20);
  CALL(cudaDeviceSynchronize());
  return verdict();
}
