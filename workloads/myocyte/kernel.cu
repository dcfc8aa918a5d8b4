// A muscle cell of the human heart's ventricle: how fast its potential, the ions in it and the
// gates of its channels change (ten Tusscher and Panfilov, 2006). There are two threads: one for
// the ions and the potential, one for the gates, in a block each.

#include "kernel.h"

using namespace myocyte;

namespace {

// From 0 to 1 as the potential rises, or falls where `slope` is negative.
__device__ float rise(float potential, float half, float slope) {
  return 1.0f / (1.0f + expf((half - potential) / slope));
}

// How much less of what is bound there is for more that is free: a buffer takes most.
__device__ float buffered(float rate, float free, float capacity, float half) {
  return rate / (1.0f + capacity * half / ((free + half) * (free + half)));
}

// Through channels and by pumps, of each ion.
struct Currents {
  float sodium;
  float potassium;
  float channel_calcium;  ///< Into the cleft.
  float other_calcium;
  float exchanged;  ///< Three of sodium against one of calcium.
  float pumped;     ///< Three of sodium against two of potassium.
};

__device__ float rectifier_current(float conductance, float above_rest) {
  const float closing = 0.1f / (1.0f + expf(0.06f * (above_rest - 200.0f)));
  const float opening =
      (3.0f * expf(2e-4f * (above_rest + 100.0f)) + expf(0.1f * (above_rest - 10.0f))) /
      (1.0f + expf(-0.5f * above_rest));
  return conductance * above_rest * (closing / (closing + opening));
}

__device__ float channel_calcium_current(const float* state, float conductance) {
  const float x = 2.0f * (state[kPotential] - 15.0f) / kThermal;
  const float steep = x == 0.0f ? 1.0f : x / expm1f(x);
  const float open = state[kD] * state[kF] * state[kF2] * state[kFCass];
  return conductance * open * 2.0f * kFaraday * steep *
         (0.25f * expf(x) * state[kCleft] - kCalciumOutside);
}

__device__ float exchanger_current(float potential, float sodium, float calcium) {
  const float out = expf(0.35f * potential / kThermal);
  const float in = expf(-0.65f * potential / kThermal);
  const float outside = kSodiumOutside * kSodiumOutside * kSodiumOutside;
  return kExchanger *
         (out * (sodium * sodium * sodium) * kCalciumOutside - in * outside * calcium * 2.5f) /
         ((87.5f * 87.5f * 87.5f + outside) * (1.38f + kCalciumOutside) * (1.0f + 0.1f * in));
}

__device__ Currents find_currents(const float* state, const Conductances& of) {
  const float potential = state[kPotential];
  const float sodium = state[kSodium];
  const float potassium = state[kPotassium];
  const float calcium = state[kCalcium];
  // Above the potentials at which each ion would rest.
  const float above_sodium = potential - kThermal * logf(kSodiumOutside / sodium);
  const float above_potassium = potential - kThermal * logf(kPotassiumOutside / potassium);
  const float above_calcium = potential - 0.5f * kThermal * logf(kCalciumOutside / calcium);
  const float above_slow =
      potential -
      kThermal * logf((kPotassiumOutside + 0.03f * kSodiumOutside) / (potassium + 0.03f * sodium));

  Currents currents;
  currents.sodium =
      (of.sodium * state[kM] * state[kM] * state[kM] * state[kH] * state[kJ] + kSodiumLeak) *
      above_sodium;
  currents.potassium =
      rectifier_current(of.rectifier, above_potassium) +
      (of.transient * state[kR] * state[kS] + of.rapid * state[kXr1] * state[kXr2] +
       kPlateau * rise(potential, 25.0f, 5.98f)) *
          above_potassium +
      of.slow * state[kXs] * state[kXs] * above_slow;
  currents.channel_calcium = channel_calcium_current(state, of.calcium);
  currents.other_calcium =
      kCalciumLeak * above_calcium + kCalciumPump * calcium / (kCalciumPumpHalf + calcium);
  currents.exchanged = exchanger_current(potential, sodium, calcium);
  currents.pumped =
      kSodiumPump * (kPotassiumOutside / (kPotassiumOutside + 1.0f)) * sodium /
      ((sodium + kSodiumPumpHalf) * (1.0f + 0.1245f * expf(-0.1f * potential / kThermal) +
                                     0.0353f * expf(-potential / kThermal)));
  return currents;
}

__device__ void rate_calcium(const float* state, const Currents& currents, float* rates) {
  const float calcium = state[kCalcium];
  const float stored = state[kStored];
  const float cleft = state[kCleft];
  const float square = cleft * cleft;
  // The emptier the store, the harder its receptors open.
  const float ratio = 1.5f / stored;
  const float reluctance = 2.5f - 1.5f / (1.0f + ratio * ratio);
  const float opening = 0.15f / reluctance * square;
  rates[kReceptors] =
      0.005f * (1.0f - state[kReceptors]) - 0.045f * reluctance * cleft * state[kReceptors];
  const float released =
      0.102f * (opening * state[kReceptors] / (0.06f + opening)) * (stored - cleft);
  const float taken_up =
      0.006375f / (1.0f + 2.5e-4f * 2.5e-4f / (calcium * calcium)) - 3.6e-4f * (stored - calcium);
  const float leaving_cleft = 0.0038f * (cleft - calcium);
  const float per_current = kCapacitance / (2.0f * kFaraday);

  rates[kStored] = buffered(taken_up - released, stored, 10.0f, 0.3f);
  rates[kCleft] = buffered(
      (kStoreVolume * released - kVolume * leaving_cleft - per_current * currents.channel_calcium) /
          kCleftVolume,
      cleft, 0.4f, 2.5e-4f);
  rates[kCalcium] = buffered(
      leaving_cleft - (kStoreVolume * taken_up +
                       per_current * (currents.other_calcium - 2.0f * currents.exchanged)) /
                          kVolume,
      calcium, 0.2f, 0.001f);
}

__device__ void rate_ions(const float* state, const Conductances& of, float* rates) {
  const Currents currents = find_currents(state, of);
  rates[kPotential] = -(currents.sodium + currents.potassium + currents.channel_calcium +
                        currents.other_calcium + currents.exchanged + currents.pumped);
  const float per_current = kCapacitance / (kVolume * kFaraday);
  rates[kSodium] =
      -per_current * (currents.sodium + 3.0f * currents.pumped + 3.0f * currents.exchanged);
  rates[kPotassium] = -per_current * (currents.potassium - 2.0f * currents.pumped);
  rate_calcium(state, currents, rates);
}

__device__ float square(float x) { return x * x; }

__device__ void rate_sodium_gates(const float* state, float* rates) {
  const float v = state[kPotential];
  const float m_time =
      rise(v, -60.0f, 5.0f) * (0.1f * rise(v, -35.0f, -5.0f) + 0.1f * rise(v, 50.0f, -200.0f));
  rates[kM] = (square(rise(v, -56.86f, 9.03f)) - state[kM]) / m_time;

  float h_speed;
  float j_speed;
  if (v >= -40.0f) {
    h_speed = 0.77f / 0.13f * rise(v, -10.66f, 11.1f);
    j_speed = 0.6f * expf(0.057f * v) * rise(v, -32.0f, 10.0f);
  } else {
    h_speed =
        0.057f * expf((v + 80.0f) / -6.8f) + 2.7f * expf(0.079f * v) + 3.1e5f * expf(0.3485f * v);
    j_speed = -(2.5428e4f * expf(0.2444f * v) + 6.948e-6f * expf(-0.04391f * v)) * (v + 37.78f) /
                  (1.0f + expf(0.311f * (v + 79.23f))) +
              0.02424f * expf(-0.01052f * v) / (1.0f + expf(-0.1378f * (v + 40.14f)));
  }
  const float steady = square(rise(v, -71.55f, -7.43f));
  rates[kH] = (steady - state[kH]) * h_speed;
  rates[kJ] = (steady - state[kJ]) * j_speed;
}

__device__ void rate_potassium_gates(const float* state, float* rates) {
  const float v = state[kPotential];
  const float xr1_time = 450.0f * rise(v, -45.0f, 10.0f) * (6.0f * rise(v, -30.0f, -11.5f));
  rates[kXr1] = (rise(v, -26.0f, 7.0f) - state[kXr1]) / xr1_time;
  const float xr2_time = 3.0f * rise(v, -60.0f, 20.0f) * (1.12f * rise(v, 60.0f, -20.0f));
  rates[kXr2] = (rise(v, -88.0f, -24.0f) - state[kXr2]) / xr2_time;
  const float xs_time =
      1400.0f / sqrtf(1.0f + expf((5.0f - v) / 6.0f)) * rise(v, 35.0f, -15.0f) + 80.0f;
  rates[kXs] = (rise(v, -5.0f, 14.0f) - state[kXs]) / xs_time;

  const float r_time = 9.5f * expf(-square(v + 40.0f) / 1800.0f) + 0.8f;
  rates[kR] = (rise(v, 20.0f, 6.0f) - state[kR]) / r_time;
  const float s_time =
      85.0f * expf(-square(v + 45.0f) / 320.0f) + 5.0f * rise(v, 20.0f, -5.0f) + 3.0f;
  rates[kS] = (rise(v, -20.0f, -5.0f) - state[kS]) / s_time;
}

__device__ void rate_calcium_gates(const float* state, float* rates) {
  const float v = state[kPotential];
  const float d_time = (1.4f * rise(v, -35.0f, 13.0f) + 0.25f) * (1.4f * rise(v, -5.0f, -5.0f)) +
                       rise(v, 50.0f, 20.0f);
  rates[kD] = (rise(v, -8.0f, 7.5f) - state[kD]) / d_time;
  const float bell = square(v + 27.0f);
  const float f_time = 1102.5f * expf(-bell / 225.0f) + 200.0f * rise(v, 13.0f, 10.0f) +
                       180.0f * rise(v, -30.0f, -10.0f) + 20.0f;
  rates[kF] = (rise(v, -20.0f, -7.0f) - state[kF]) / f_time;
  const float f2_time = 562.0f * expf(-bell / 240.0f) + 31.0f * rise(v, 25.0f, 10.0f) +
                        80.0f * rise(v, -30.0f, -10.0f);
  rates[kF2] = (0.67f * rise(v, -35.0f, -7.0f) + 0.33f - state[kF2]) / f2_time;
  const float cleft = 1.0f / (1.0f + square(state[kCleft] / 0.05f));
  rates[kFCass] = (0.6f * cleft + 0.4f - state[kFCass]) / (80.0f * cleft + 2.0f);
}

}  // namespace

extern "C" __global__ void cell_rates(const float* state, Conductances of, float* rates) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    rate_ions(state, of, rates);
  } else {
    rate_sodium_gates(state, rates);
    rate_potassium_gates(state, rates);
    rate_calcium_gates(state, rates);
  }
}
