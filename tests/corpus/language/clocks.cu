// Clocks, timers, sleeping and special registers.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  clock_t start = clock();
  long long start64 = clock64();
  unsigned long long timer;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer)::"memory");
  __nanosleep(20);
  unsigned sum = 0;
  for (unsigned k = 0; k < in[i] % 50; ++k) sum += in[(i + k) % count];
  out[i] = sum;
  out[count + i] = clock64() >= start64 && timer != ~0ull && clock() - start >= 0;
  unsigned lane, equal, less, warp, warps, dynamic, total;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(equal));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(less));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(total));
  out[2 * count + i] = lane;
  out[3 * count + i] = equal ^ less;
  out[4 * count + i] = warp < warps && total >= dynamic;
  out[5 * count + i] = warpSize + gridDim.x * 100 + blockDim.x * 10000 + dynamic;
}
