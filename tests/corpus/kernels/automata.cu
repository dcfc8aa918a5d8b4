// Conway's life with 32 cells a word and bit-sliced sums, and one toppling of a sand pile.
extern "C" __global__ void life_bits(const unsigned* cells, unsigned* next, int words,
                                     int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= words || row >= height) return;
  unsigned ones = 0, twos = 0, fours = 0;
  auto add = [&](unsigned bits) {
    unsigned carry = ones & bits;
    ones ^= bits;
    unsigned carry2 = twos & carry;
    twos ^= carry;
    fours |= carry2;
  };
  int left = (column + words - 1) % words, right = (column + 1) % words;
  unsigned alive = 0;
#pragma unroll
  for (int dy = -1; dy <= 1; ++dy) {
    const unsigned* line = cells + (row + dy + height) % height * words;
    unsigned before = line[left], here = line[column], after = line[right];
    add(__funnelshift_l(before, here, 1));
    if (dy != 0)
      add(here);
    else
      alive = here;
    add(__funnelshift_r(here, after, 1));
  }
  next[row * words + column] = ~fours & twos & (ones | alive);
}

extern "C" __global__ void sand_pile(const int* grains, int* next, int width, int height,
                                     int* unstable) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int value = 0;
  if (x < width && y < height) {
    auto spill = [=](int column, int row) {
      return column >= 0 && row >= 0 && column < width && row < height
                 ? grains[row * width + column] >> 2
                 : 0;
    };
    value = (grains[y * width + x] & 3) + spill(x - 1, y) + spill(x + 1, y) + spill(x, y - 1) +
            spill(x, y + 1);
    next[y * width + x] = value;
  }
  int toppling = __syncthreads_count(value >= 4);
  if (threadIdx.x == 0 && threadIdx.y == 0 && toppling > 0) atomicAdd(unstable, toppling);
}
