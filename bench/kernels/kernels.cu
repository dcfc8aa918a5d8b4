// Kernels that measure the speed of functional execution.

// Straight-line 32-bit arithmetic with all lanes active.
extern "C" __global__ void arithmetic(unsigned int* out, int turns) {
  unsigned int a = threadIdx.x, b = blockIdx.x + 1, c = 7, d = threadIdx.x * 3;
  for (int i = 0; i < turns; ++i) {
#pragma unroll 32
    for (int j = 0; j < 32; ++j) {
      a = a * 5 + b;
      b = (b ^ c) + d;
      c = c + (a << 3);
      d = d - (c & b);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a ^ b ^ c ^ d;
}

// C = A x B in tiles of 16 x 16 in shared memory; width is a multiple of 16.
extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c, int width) {
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int tile = 0; tile < width; tile += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * width + tile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * width + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * width + column] = sum;
}

// Every thread walks its own linked list until its end: lanes become inactive one by one, and each
// load accesses up to 32 addresses.
extern "C" __global__ void pointer_chase(const unsigned int* next, const unsigned int* first,
                                         unsigned int* out, unsigned int end) {
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int at = first[thread];
  unsigned int sum = 0;
  while (at != end) {
    if (at & 1) {
      sum += at;
    } else {
      sum ^= at;
    }
    at = next[at];
  }
  out[thread] = sum;
}
