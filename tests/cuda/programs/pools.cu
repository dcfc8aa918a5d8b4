// Memory in the order of streams, and pools.
#include <cstdint>

#include "check.h"

__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }

int main() {
  cudaStream_t stream = nullptr;
  CALL(cudaStreamCreate(&stream));
  int* values = nullptr;
  CALL(cudaMallocAsync(&values, 32 * sizeof(int), stream));
  fill<<<1, 32, 0, stream>>>(values, 9);
  int host[32];
  CALL(cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDefault, stream));
  CALL(cudaFreeAsync(values, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(host[0] == 9 && host[31] == 9);
  cudaMemPool_t pool = nullptr;
  CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t threshold = ~0ull;
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(threshold == ~0ull);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t own = nullptr;
  CALL(cudaMemPoolCreate(&own, &properties));
  CALL(cudaMallocFromPoolAsync(&values, 64, own, stream));
  CALL(cudaFreeAsync(values, stream));
  CALL(cudaMemPoolDestroy(own));
  return verdict();
}
