// Prices of European options in closed form.
__device__ inline float cumulative_normal(float d) {
  constexpr float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f,
                  a5 = 1.330274429f, one_over_sqrt_2pi = 0.39894228040143267793994605993438f;
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = one_over_sqrt_2pi * expf(-0.5f * d * d) *
               (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
  return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(float* call, float* put, const float* price,
                                         const float* strike, const float* years, float riskless,
                                         float volatility, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float s = price[i], x = strike[i], t = years[i];
  float sqrt_t = sqrtf(t);
  float d1 = (logf(s / x) + (riskless + 0.5f * volatility * volatility) * t) /
             (volatility * sqrt_t);
  float d2 = d1 - volatility * sqrt_t;
  float n1 = cumulative_normal(d1), n2 = cumulative_normal(d2);
  float discount = expf(-riskless * t);
  call[i] = s * n1 - x * discount * n2;
  put[i] = x * discount * (1.0f - n2) - s * (1.0f - n1);
}

// The same with the hardware's approximate functions.
extern "C" __global__ void black_scholes_fast(float* call, const float* price, const float* strike,
                                              const float* years, float riskless, float volatility,
                                              int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float s = price[i], x = strike[i], t = years[i];
  float scaled = volatility * __fsqrt_rn(t);
  float d1 = __fdividef(__logf(__fdividef(s, x)) +
                        (riskless + 0.5f * volatility * volatility) * t, scaled);
  float d2 = d1 - scaled;
  auto normal = [](float d) {
    float k = __frcp_rn(1.0f + 0.2316419f * fabsf(d));
    float tail = 0.3989422804f * __expf(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
                       k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - tail : tail;
  };
  call[i] = s * normal(d1) - x * __expf(-riskless * t) * normal(d2);
}
