// A particle filter, which follows an object through a film: each particle is a guess at where the
// object is. A frame moves them at random, weighs them by what it shows there, and draws them anew,
// those of great weight many times.

#include "kernel.h"

using namespace particlefilter;

__constant__ Point disc[kDiscPixels];

namespace {

// Above 0, up to 1.
__device__ float uniform(unsigned& seed) {
  seed = (kFactor * seed + kAddend) & kMask;
  return (static_cast<float>(seed) + 1.0f) * 0x1p-31f;
}

// By Box and Muller.
__device__ float normal(unsigned& seed) {
  const float radius = sqrtf(-2.0f * logf(uniform(seed)));
  return radius * cospif(2.0f * uniform(seed));
}

// The block's sum of what every thread brings, for the first of them.
__device__ float sum_block(float value) {
  __shared__ float sums[kBlock];
  const int thread = threadIdx.x;
  sums[thread] = value;
  for (int half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  return sums[0];
}

// By how much likelier the frame shows the object around (x, y) than only background: the mean
// logarithm over the disc's pixels.
__device__ float log_likelihood(const unsigned char* frame, int width, int height, int x, int y) {
  int sum = 0;
  for (int i = 0; i < kDiscPixels; ++i) {
    const int column = min(max(x + disc[i].x, 0), width - 1);
    const int row = min(max(y + disc[i].y, 0), height - 1);
    const int level = frame[row * width + column];
    const int off_background = level - kBackground;
    const int off_foreground = level - kForeground;
    sum += off_background * off_background - off_foreground * off_foreground;
  }
  return static_cast<float>(sum) / (2.0f * kDeviation * kDeviation * kDiscPixels);
}

}  // namespace

extern "C" __global__ void move_and_weigh(const unsigned char* frame, int width, int height,
                                          Particles from, Particles to, unsigned* seeds,
                                          float* weights, float* block_sums, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  float weight = 0.0f;
  if (i < count) {
    unsigned seed = seeds[i];
    const float x = from.x[i] + kMoveX + kWanderX * normal(seed);
    const float y = from.y[i] + kMoveY + kWanderY * normal(seed);
    seeds[i] = seed;
    to.x[i] = x;
    to.y[i] = y;
    weight = expf(log_likelihood(frame, width, height, __float2int_rn(x), __float2int_rn(y)));
    weights[i] = weight;
  }
  const float sum = sum_block(weight);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}

// One block adds up what all blocks have.
extern "C" __global__ void sum_weights(const float* block_sums, float* sum, int blocks) {
  float value = 0.0f;
  for (int i = threadIdx.x; i < blocks; i += kBlock) value += block_sums[i];
  value = sum_block(value);
  if (threadIdx.x == 0) *sum = value;
}

extern "C" __global__ void normalize_weights(float* weights, const float* sum, int count) {
  __shared__ float whole;
  if (threadIdx.x == 0) whole = *sum;
  __syncthreads();
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) weights[i] /= whole;
}

// Prefix sums of the weights: one block goes through them.
extern "C" __global__ void accumulate_weights(const float* weights, float* accumulated, int count) {
  __shared__ float sums[kBlock];
  const int thread = threadIdx.x;
  float before = 0.0f;
  for (int first = 0; first < count; first += kBlock) {
    const int i = first + thread;
    float sum = i < count ? weights[i] : 0.0f;
    sums[thread] = sum;
    for (int distance = 1; distance < kBlock; distance *= 2) {
      __syncthreads();
      if (thread >= distance) sum += sums[thread - distance];
      __syncthreads();
      sums[thread] = sum;
    }
    __syncthreads();
    if (i < count) accumulated[i] = before + sum;
    before += sums[kBlock - 1];
    __syncthreads();
  }
}

// A particle a thread: of equally spaced shares of the weights each falls to one of them. `start`,
// between 0 and 1, is where the first share is.
extern "C" __global__ void resample(const float* accumulated, Particles from, Particles to,
                                    float start, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= count) return;
  const float share = (start + static_cast<float>(i)) / static_cast<float>(count);
  int chosen = 0;
  while (chosen < count - 1 && accumulated[chosen] < share) ++chosen;
  to.x[i] = from.x[chosen];
  to.y[i] = from.y[chosen];
}
