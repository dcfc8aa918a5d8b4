// Random numbers: the Mersenne Twister with its state in local memory, Marsaglia's xorshift and
// Sobol's low-discrepancy sequence.
constexpr int kState = 64, kMiddle = 25;

extern "C" __global__ void mersenne_twister(const unsigned* seeds, unsigned* numbers,
                                            int numbers_a_thread) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  unsigned state[kState];
  state[0] = seeds[thread];
  for (int i = 1; i < kState; ++i)
    state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
  int current = 0;
  for (int out = 0; out < numbers_a_thread; ++out) {
    int next = current + 1 < kState ? current + 1 : 0;
    int middle = current + kMiddle < kState ? current + kMiddle : current + kMiddle - kState;
    unsigned x = (state[current] & 0x80000000u) | (state[next] & 0x7fffffffu);
    unsigned y = state[middle] ^ x >> 1 ^ (x & 1 ? 0x9908b0dfu : 0);
    state[current] = y;
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    y ^= y >> 18;
    numbers[out * threads + thread] = y;
    current = next;
  }
}

// Estimates pi: 64-bit xorshift, hits counted by vote.
extern "C" __global__ void monte_carlo_pi(unsigned long long seed, int rounds,
                                          unsigned long long* hits) {
  unsigned long long x = seed + 0x9e3779b97f4a7c15ull * (blockIdx.x * blockDim.x + threadIdx.x + 1);
  unsigned warp_hits = 0;
  for (int i = 0; i < rounds; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    float u = (unsigned(x) >> 8) * 0x1p-24f;
    float v = unsigned(x >> 40) * 0x1p-24f;
    warp_hits += __popc(__ballot_sync(~0u, __fmaf_rn(u, u, __fmul_rn(v, v)) < 1.0f));
  }
  if (threadIdx.x % 32 == 0) atomicAdd(hits, (unsigned long long)warp_hits);
}

extern "C" __global__ void sobol(const unsigned* directions, float* points, int count,
                                 int log2_stride) {
  __shared__ unsigned v[32];
  directions += 32 * blockIdx.y;
  points += count * blockIdx.y;
  if (threadIdx.x < 32) v[threadIdx.x] = directions[threadIdx.x];
  __syncthreads();
  int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  unsigned gray = first ^ first >> 1, x = 0;
  for (unsigned k = 0; k < __ffs(stride) - 1; ++k) {
    x ^= -(gray & 1) & v[k];
    gray >>= 1;
  }
  if (first < count) points[first] = x * 0x1p-32f;
  unsigned v_stride = v[log2_stride - 1];
  unsigned mask = stride - 1;
  for (int i = first + stride; i < count; i += stride) {
    x ^= v_stride ^ v[__ffs(~((i - stride) | mask)) - 1];
    points[i] = x * 0x1p-32f;
  }
}
