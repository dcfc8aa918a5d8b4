// What is left after cudaDeviceReset, and managed variables by their own addresses.
#include "check.h"

__managed__ int managed = 40;
__managed__ float both[2] = {1, 2};
__device__ int plain = 3;

__global__ void use() {
  managed += plain;
  both[1] += both[0];
}

int main() {
  managed = 50;
  use<<<1, 1>>>();
  CALL(cudaDeviceSynchronize());
  EXPECT(managed == 53 && both[1] == 3);
  // By what the host knows of them.
  int value = 7;
  CALL(cudaMemcpyToSymbol(managed, &value, sizeof value));
  EXPECT(managed == 7);
  value = 0;
  CALL(cudaMemcpyFromSymbol(&value, managed, sizeof value));
  EXPECT(value == 7);
  void* address = nullptr;
  CALL(cudaGetSymbolAddress(&address, both));
  EXPECT(address == both);
  size_t bytes = 0;
  CALL(cudaGetSymbolSize(&bytes, both));
  EXPECT(bytes == sizeof both);
  EXPECT(cudaMemcpyToSymbol(value, &value, sizeof value) == cudaErrorInvalidSymbol);
  CALL(cudaDeviceReset());
  // As they begin.
  EXPECT(managed == 40 && both[1] == 2);
  managed = 1;
  use<<<1, 1>>>();
  CALL(cudaDeviceSynchronize());
  EXPECT(managed == 4);
  CALL(cudaDeviceReset());
  return verdict();
}
