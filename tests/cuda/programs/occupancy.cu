// Properties, attributes and occupancy agree with each other.
#include "check.h"

__global__ void __launch_bounds__(256) light(float* x) { x[threadIdx.x] += 1; }
__global__ void heavy(float* x) {
  __shared__ float part[8192];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = part[threadIdx.x ^ 1];
}

int main() {
  int count = 0, device = -1;
  CALL(cudaGetDeviceCount(&count));
  CALL(cudaGetDevice(&device));
  EXPECT(count == 1 && device == 0);
  cudaDeviceProp properties{};
  CALL(cudaGetDeviceProperties(&properties, 0));
  int value = 0;
  CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  EXPECT(value == properties.multiProcessorCount && value > 0);
  CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  EXPECT(size_t(value) == properties.sharedMemPerMultiprocessor);
  CALL(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  EXPECT(value == properties.major && value >= 7);
  EXPECT(properties.warpSize == 32 && properties.reserved[55] == 0);
  int peer = 1;
  CALL(cudaDeviceCanAccessPeer(&peer, 0, 0));
  EXPECT(peer == 0);

  int blocks = 0;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavy, 64, 0));
  EXPECT(blocks == int(properties.sharedMemPerMultiprocessor / (8192 * sizeof(float))));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, light, 128, 0));
  EXPECT(blocks >= 1 && blocks <= properties.maxBlocksPerMultiProcessor);
  EXPECT(blocks * 128 <= properties.maxThreadsPerMultiProcessor);
  int least = 0, best = 0;
  CALL(cudaOccupancyMaxPotentialBlockSize(&least, &best, light, 0, 0));
  EXPECT(best > 0 && best <= 256 && best % 32 == 0);
  EXPECT(least % properties.multiProcessorCount == 0);
  cudaFuncAttributes attributes{};
  CALL(cudaFuncGetAttributes(&attributes, heavy));
  EXPECT(attributes.sharedSizeBytes == 8192 * sizeof(float) && attributes.numRegs > 0);
  CALL(cudaFuncGetAttributes(&attributes, light));
  EXPECT(attributes.maxThreadsPerBlock == 256);
  EXPECT(attributes.ptxVersion == 75);
  float* x = nullptr;
  CALL(cudaMalloc(&x, 4096));
  light<<<1, 512>>>(x);
  EXPECT(cudaGetLastError() == cudaErrorLaunchOutOfResources);
  size_t left = 0, total = 0;
  CALL(cudaMemGetInfo(&left, &total));
  EXPECT(total == properties.totalGlobalMem && left < total);
  return verdict();
}
