// Sum of absolute differences of 16 x 16 blocks for a search window, best vector by reduction; and
// the same on packed bytes with the video instruction.
extern "C" __global__ void motion_search(const unsigned char* current,
                                         const unsigned char* reference, int width, int height,
                                         int range, int2* vectors, int* costs) {
  __shared__ unsigned char block[16][16];
  __shared__ unsigned best;
  int side = 2 * range + 1, candidates = side * side;
  int bx = blockIdx.x * 16, by = blockIdx.y * 16;
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    block[i / 16][i % 16] = current[(by + i / 16) * width + bx + i % 16];
  if (threadIdx.x == 0) best = ~0u;
  __syncthreads();
  for (int candidate = threadIdx.x; candidate < candidates; candidate += blockDim.x) {
    int x = bx + candidate % side - range, y = by + candidate / side - range;
    if (x < 0 || y < 0 || x + 16 > width || y + 16 > height) continue;
    unsigned cost = 0;
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 16; ++column)
        cost = __usad(block[row][column], reference[(y + row) * width + x + column], cost);
    atomicMin(&best, cost << 16 | candidate);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int candidate = best & 0xffff, at = blockIdx.y * gridDim.x + blockIdx.x;
    vectors[at] = make_int2(candidate % side - range, candidate / side - range);
    costs[at] = best >> 16;
  }
}

extern "C" __global__ void packed_differences(const unsigned* a, const unsigned* b,
                                              unsigned* sums, int words_each, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned sum = 0;
  for (int k = 0; k < words_each; ++k)
    sum += __vsadu4(a[k * count + i], b[k * count + i]);
  sums[i] = sum;
}
