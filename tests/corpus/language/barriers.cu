// Barriers with names, for part of a block, with counts, and with a reduction; and warps that leave
// before others meet.
extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  __shared__ unsigned data[128];
  int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  unsigned value = in[i];
  out[i] = __syncthreads_count(value & 1) + (__syncthreads_or(value % 64 == 1) ? 1000 : 0) +
           (__syncthreads_and(value != 3) ? 10000 : 0);
  // The first two warps make, the other two use: named barriers of 128 threads.
  if (thread < 64) {
    for (int turn = 0; turn < 3; ++turn) {
      asm volatile("barrier.sync 2, 128;" ::: "memory");
      data[thread] = value + turn;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
    out[count + i] = 0;
  } else {
    unsigned sum = 0;
    for (int turn = 0; turn < 3; ++turn) {
      asm volatile("bar.arrive 2, 128;" ::: "memory");
      asm volatile("barrier.sync 1, 128;" ::: "memory");
      sum = sum * 3 + data[thread - 64];
    }
    out[count + i] = sum;
  }
  __syncthreads();
  if (thread >= 96) return;
  data[thread] = value;
  asm volatile("bar.sync 3, 96;" ::: "memory");
  out[2 * count + i] = data[95 - thread];
  unsigned total;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 1000; bar.red.popc.u32 %0, 4, 96, p; }"
               : "=r"(total)
               : "r"(value));
  out[3 * count + i] = total;
}
