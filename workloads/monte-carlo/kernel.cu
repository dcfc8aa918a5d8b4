// European calls priced by simulating the share's price at expiry along many paths.

#include "kernel.h"
#include "normal_samples.h"

// One block an option. Each thread adds up the payoffs of every blockDim.x-th path. Whether one
// pays shows before the price at its end is known, which then need not be.
extern "C" __global__ void price_options(const Option* options, const float* samples, int paths,
                                         Sums* partial) {
  const Option option = options[blockIdx.x];
  float payoffs = 0.0f;
  float squares = 0.0f;
  for (int i = threadIdx.x; i < paths; i += blockDim.x) {
    const float sample = samples[i];
    if (sample > option.least_sample) {
      const float payoff =
          option.spot * expf(option.drift + option.deviation * sample) - option.strike;
      payoffs += payoff;
      squares += payoff * payoff;
    }
  }
  partial[blockIdx.x * blockDim.x + threadIdx.x] = {payoffs, squares};
}

// One thread an option: adds up what the threads of its block left.
extern "C" __global__ void sum_partials(const Sums* partial, int partials, Sums* sums,
                                        int options) {
  const int option = blockIdx.x * blockDim.x + threadIdx.x;
  if (option >= options) return;
  Sums sum = {0.0f, 0.0f};
  for (int i = 0; i < partials; ++i) {
    const Sums next = partial[option * partials + i];
    sum.payoff += next.payoff;
    sum.square += next.square;
  }
  sums[option] = sum;
}
