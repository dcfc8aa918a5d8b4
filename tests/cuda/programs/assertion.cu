// A failed assertion is an error that stays until the device is reset.
#include <cassert>

#include "check.h"

__global__ void check_index(int most) { assert(int(threadIdx.x) < most); }

int main() {
  check_index<<<1, 32>>>(32);
  CALL(cudaDeviceSynchronize());
  check_index<<<1, 32>>>(20);
  EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
  void* pointer = nullptr;
  EXPECT(cudaMalloc(&pointer, 16) == cudaErrorAssert);
  CALL(cudaDeviceReset());
  CALL(cudaMalloc(&pointer, 16));
  check_index<<<1, 32>>>(32);
  CALL(cudaDeviceSynchronize());
  return verdict();
}
