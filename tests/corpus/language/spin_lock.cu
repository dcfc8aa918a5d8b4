// A lock in global memory taken by one thread after another, lanes of a warp among them.
__device__ int lock = 0;

extern "C" __global__ void program(const unsigned* in, unsigned* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      volatile unsigned* cells = out;
      cells[0] = cells[0] + 1;
      cells[1] = cells[1] + in[i] % 100;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
