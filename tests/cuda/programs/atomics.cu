// Atomic operations of several widths, and a histogram.
#include "check.h"

struct Results {
  int sum, least, greatest;
  unsigned bits, exchanged, wrapped;
  unsigned long long wide;
  float real;
  double real_wide;
  int histogram[8];
};

__global__ void count(Results* r) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&r->sum, i);
  atomicMin(&r->least, -i);
  atomicMax(&r->greatest, i);
  atomicOr(&r->bits, 1u << (i % 32));
  atomicInc(&r->wrapped, 99);
  atomicAdd(&r->wide, 1ull << 33);
  atomicAdd(&r->real, 0.5f);
  atomicAdd(&r->real_wide, 0.25);
  __shared__ int part[8];
  if (threadIdx.x < 8) part[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&part[i * i % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&r->histogram[threadIdx.x], part[threadIdx.x]);
  if (i == 77) atomicCAS(&r->exchanged, 0, 12345);
}

int main() {
  constexpr int kBlocks = 5, kThreads = 96, kAll = kBlocks * kThreads;
  Results* r = nullptr;
  CALL(cudaMallocManaged(&r, sizeof *r));
  *r = {};
  count<<<kBlocks, kThreads>>>(r);
  CALL(cudaDeviceSynchronize());
  EXPECT(r->sum == kAll * (kAll - 1) / 2);
  EXPECT(r->least == 1 - kAll && r->greatest == kAll - 1);
  EXPECT(r->bits == 0xffffffffu && r->exchanged == 12345);
  EXPECT(r->wrapped == kAll % 100);
  EXPECT(r->wide == kAll * (1ull << 33));
  EXPECT(r->real == kAll * 0.5f && r->real_wide == kAll * 0.25);
  int expected[8] = {};
  for (int i = 0; i < kAll; ++i) ++expected[i * i % 8];
  for (int i = 0; i < 8; ++i) EXPECT(r->histogram[i] == expected[i]);
  return verdict();
}
