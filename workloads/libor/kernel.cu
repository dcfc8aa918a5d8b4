// A portfolio of swaptions in the LIBOR market model by Monte Carlo simulation, one path a thread.
// What a path is worth, and in another kernel also what it would be worth if all rates were higher,
// by going the way of the path back (adjoint differentiation, Giles and Glasserman, 2006).

#include "kernel.h"

using namespace libor;

__constant__ Market market;

// Moves the rates that are not fixed by one step. `from` and `to` may be the same.
__device__ void advance(const float* from, float* to, int step, float normal) {
  const float shock = market.root_interval * normal;
  float drift = 0.0f;
#pragma unroll 1
  for (int i = step + 1; i < market.rates; ++i) {
    const float volatility = market.volatility[i - step - 1];
    const float weight = market.interval * volatility;
    const float rate = from[i];
    drift += weight * rate / (1.0f + market.interval * rate);
    to[i] = rate * expf(weight * drift + volatility * (shock - 0.5f * weight));
  }
}

// From when the swaptions can be exercised, what is paid at the end of each interval is worth
// `bond`, and a payment in each until then `annuity`.
struct Curve {
  float bond[kMostRates - kMostSteps];
  float annuity[kMostRates - kMostSteps];
};

__device__ void discount(const float* rates, Curve& curve) {
  float bond = 1.0f;
  float annuity = 0.0f;
#pragma unroll 1
  for (int i = market.steps; i < market.rates; ++i) {
    bond = bond / (1.0f + market.interval * rates[i]);
    annuity += market.interval * bond;
    curve.bond[i - market.steps] = bond;
    curve.annuity[i - market.steps] = annuity;
  }
}

// What a swap costs its holder, who will not exercise the swaption unless that is negative.
__device__ float swap_cost(const Curve& curve, const Swaption& swaption) {
  const int last = swaption.intervals - 1;
  return curve.bond[last] + swaption.rate * curve.annuity[last] - 1.0f;
}

// What is paid when the swaptions can be exercised, now.
__device__ float discount_from_exercise(const float* rates) {
  float bond = 1.0f;
#pragma unroll 1
  for (int i = 0; i < market.steps; ++i) bond = bond / (1.0f + market.interval * rates[i]);
  return bond;
}

extern "C" __global__ void portfolio_values(const float* normals, float* values, int paths) {
  const int path = blockIdx.x * kThreads + threadIdx.x;
  if (path >= paths) return;

  float rates[kMostRates];
#pragma unroll 1
  for (int i = 0; i < market.rates; ++i) rates[i] = market.initial[i];
#pragma unroll 1
  for (int step = 0; step < market.steps; ++step) {
    advance(rates, rates, step, normals[step * paths + path]);
  }
  Curve curve;
  discount(rates, curve);
  float value = 0.0f;
#pragma unroll 1
  for (int i = 0; i < kSwaptions; ++i) {
    const float cost = swap_cost(curve, market.swaptions[i]);
    if (cost < 0.0f) value -= kNotional * cost;
  }
  values[path] = value * discount_from_exercise(rates);
}

// The value, and in `slopes` what it changes by with each of the rates at the end.
__device__ float value_with_slopes(const float* rates, float* slopes) {
  Curve curve;
  discount(rates, curve);
  // What the value changes by with the bond and the annuity of each interval.
  Curve slope;
#pragma unroll 1
  for (int i = 0; i < market.rates - market.steps; ++i) {
    slope.bond[i] = 0.0f;
    slope.annuity[i] = 0.0f;
  }
  float value = 0.0f;
#pragma unroll 1
  for (int i = 0; i < kSwaptions; ++i) {
    const Swaption swaption = market.swaptions[i];
    const float cost = swap_cost(curve, swaption);
    if (cost < 0.0f) {
      value -= kNotional * cost;
      slope.bond[swaption.intervals - 1] -= kNotional;
      slope.annuity[swaption.intervals - 1] -= kNotional * swaption.rate;
    }
  }

  const float exercise = discount_from_exercise(rates);
  value *= exercise;
  float by_annuity = 0.0f;
  float by_bond = 0.0f;
#pragma unroll 1
  for (int i = market.rates - 1; i >= market.steps; --i) {
    by_annuity += slope.annuity[i - market.steps];
    by_bond += slope.bond[i - market.steps] + market.interval * by_annuity;
    // From here on it is what comes with the bond an interval earlier.
    const float shrinks = 1.0f / (1.0f + market.interval * rates[i]);
    slopes[i] = -exercise * market.interval * curve.bond[i - market.steps] * shrinks * by_bond;
    by_bond *= shrinks;
  }
#pragma unroll 1
  for (int i = 0; i < market.steps; ++i) {
    slopes[i] = -value * market.interval / (1.0f + market.interval * rates[i]);
  }
  return value;
}

// Takes slopes by the rates after a step to slopes by those before.
__device__ void go_back(const float* before, const float* after, float* slopes, int step) {
  float by_drift = 0.0f;
#pragma unroll 1
  for (int i = market.rates - 1; i > step; --i) {
    const float weight = market.interval * market.volatility[i - step - 1];
    const float rate = before[i];
    const float by_exponent = slopes[i] * after[i];
    by_drift += weight * by_exponent;
    const float shrinks = 1.0f / (1.0f + market.interval * rate);
    slopes[i] = by_exponent / rate + by_drift * weight * shrinks * shrinks;
  }
}

extern "C" __global__ void portfolio_sensitivities(const float* normals, float* values,
                                                   float* sensitivities, int paths) {
  const int path = blockIdx.x * kThreads + threadIdx.x;
  if (path >= paths) return;

  // The rates before each step and after the last; a rate that is fixed is kept up to date.
  float history[(kMostSteps + 1) * kMostRates];
#pragma unroll 1
  for (int i = 0; i < market.rates; ++i) history[i] = market.initial[i];
#pragma unroll 1
  for (int step = 0; step < market.steps; ++step) {
    const float* before = history + step * kMostRates;
    float* after = history + (step + 1) * kMostRates;
#pragma unroll 1
    for (int i = 0; i <= step; ++i) after[i] = before[i];
    advance(before, after, step, normals[step * paths + path]);
  }

  float slopes[kMostRates];
  values[path] = value_with_slopes(history + market.steps * kMostRates, slopes);
#pragma unroll 1
  for (int step = market.steps - 1; step >= 0; --step) {
    go_back(history + step * kMostRates, history + (step + 1) * kMostRates, slopes, step);
  }
  float sensitivity = 0.0f;
#pragma unroll 1
  for (int i = 0; i < market.rates; ++i) sensitivity += slopes[i];
  sensitivities[path] = sensitivity;
}
