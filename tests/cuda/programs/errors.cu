// What goes wrong is told as CUDA tells it.
#include <cstring>

#include "check.h"

__global__ void store(int* to) { *to = 1; }
__global__ void nothing() {}

int main() {
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  int* p = nullptr;
  EXPECT(cudaMalloc(&p, size_t(1) << 60) == cudaErrorMemoryAllocation);
  EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaSuccess);
  nothing<<<1, 2048>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  nothing<<<0, 32>>>();
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaSetDevice(1) == cudaErrorInvalidDevice);
  int local = 0;
  EXPECT(cudaFree(&local) == cudaErrorInvalidValue);
  CALL(cudaMalloc(&p, 4));
  EXPECT(cudaMemcpy(p, &local, 4, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(p, &local, 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(p, &local, 4, cudaMemcpyKind(9)) == cudaErrorInvalidMemcpyDirection);
  CALL(cudaFree(p));
  EXPECT(cudaFree(p) == cudaErrorInvalidValue);
  EXPECT(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                            cudaFlushGPUDirectRDMAWritesToOwner) ==
         cudaErrorNotSupported);
  EXPECT(cudaGetLastError() == cudaErrorNotSupported);

  store<<<1, 1>>>(nullptr);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(cudaGetLastError() == cudaErrorIllegalAddress);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CALL(cudaDeviceReset());
  CALL(cudaMalloc(&p, 8));
  store<<<1, 1>>>(reinterpret_cast<int*>(reinterpret_cast<char*>(p) + 2));
  EXPECT(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
  return verdict();
}
