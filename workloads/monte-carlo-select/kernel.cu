// European calls priced by simulating the share's price at expiry along many paths, as in NVIDIA's SDK.

#include "kernel.h"
#include "../monte-carlo/kernel.h"
#include "../monte-carlo/normal_samples.h"

__constant__ Option constant_options[kMostOptions];

// One block an option. Whether a path pays is a choice between two values and not a branch, and the
// block adds up its threads' sums. CUDA 4.0 unrolled only loops with a known number of iterations, by
// its programming guide.
extern "C" __global__ void price_options_by_selects(const float* samples, int paths, Sums* sums) {
  __shared__ float shared_payoffs[kSelectBlock];
  __shared__ float shared_squares[kSelectBlock];
  const Option option = constant_options[blockIdx.x];
  const int thread = threadIdx.x;
  float payoffs = 0.0f;
  float squares = 0.0f;
#pragma unroll 1
  for (int i = thread; i < paths; i += kSelectBlock) {
    const float end = option.spot * expf(option.drift + option.deviation * samples[i]);
    const float payoff = fmaxf(end - option.strike, 0.0f);
    payoffs += payoff;
    squares += payoff * payoff;
  }
  shared_payoffs[thread] = payoffs;
  shared_squares[thread] = squares;
  for (int half = kSelectBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      shared_payoffs[thread] += shared_payoffs[thread + half];
      shared_squares[thread] += shared_squares[thread + half];
    }
  }
  if (thread == 0) sums[blockIdx.x] = {shared_payoffs[0], shared_squares[0]};
}
