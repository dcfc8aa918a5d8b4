// European options by the formula of Black and Scholes, one option after the other a thread.

// The normal distribution's integral up to d by Abramowitz and Stegun 26.2.17: a polynomial of the
// fifth degree under the density, good to 7.5e-8. It holds for one tail; the other is its
// complement.
__device__ float normal_distribution(float d) {
  const float t = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      t * (0.319381530f +
           t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  const float tail = 0.39894228040f * expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

// The grid is as large as the GPU likes it, not as the input is: a thread goes on with the option
// one grid further.
extern "C" __global__ void black_scholes(const float* spot, const float* strike, const float* years,
                                         float* call, float* put, float rate, float volatility,
                                         int count) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
    const float s = spot[i];
    const float x = strike[i];
    const float t = years[i];
    const float deviation = volatility * sqrtf(t);
    const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
    const float d2 = d1 - deviation;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float discounted = x * expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}
