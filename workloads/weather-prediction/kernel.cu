// Clouds and rain of a weather forecast, by Kessler's scheme for warm rain: one thread has a column
// of air, from the ground up. Rain falls; drops form from the cloud and collect more of it; vapour
// condenses where there is too much of it, and cloud and rain evaporate where there is too little.

#include "kernel.h"

using namespace weather;

namespace {

constexpr float kHeatCapacity = 1004.0f;  // of air, J/(kg K)
constexpr float kLatentHeat = 2.5e6f;     // of vapour, J/kg

// In m/s, of so much rain in the air, in kg/m^3.
__device__ float fall_speed(float rain, float density, float ground_density) {
  return 36.34f * powf(0.001f * rain, 0.1364f) * sqrtf(ground_density / density);
}

// What vapour the air can hold (Tetens' formula).
__device__ float saturation(float temperature, float hectopascals) {
  return 3.8f / hectopascals * expf(17.27f * (temperature - 273.0f) / (temperature - 36.0f));
}

// What rain evaporates in a second, `dryness` being 1 where the air is dry and 0 where it is
// saturated.
__device__ float evaporation(float rain, float density, float dryness, float hectopascals,
                             float saturated) {
  const float in_air = 0.001f * density * rain;
  const float ventilation = 1.6f + 124.9f * powf(in_air, 0.2046f);
  return dryness * ventilation * powf(in_air, 0.525f) /
         ((5.4e5f + 2.55e6f / (hectopascals * saturated)) * (0.001f * density));
}

struct Air {
  float warmth, vapour, cloud, rain;
};

// A step of what happens within a level.
__device__ void convert(Air& air, float density, float exner, float seconds) {
  // Large clouds turn into rain by themselves, and where rain falls through them.
  const float turned = seconds * 0.001f * fmaxf(air.cloud - 0.001f, 0.0f);
  const float collected = seconds * 2.2f * powf(air.rain, 0.875f);
  const float cloud = (air.cloud - turned) / (1.0f + collected);
  air.rain += air.cloud - cloud;

  const float temperature = exner * air.warmth;
  const float hectopascals = 1000.0f * exner * exner * exner * sqrtf(exner);
  const float saturated = saturation(temperature, hectopascals);
  // What condenses warms the air, which can hold more then.
  const float above_ice = temperature - 36.0f;
  const float warming =
      saturated * (4093.0f * kLatentHeat / kHeatCapacity) / (above_ice * above_ice);
  const float excess = (air.vapour - saturated) / (1.0f + warming);
  const float condensed = fmaxf(excess, -cloud);
  float evaporated = 0.0f;
  const float lacking = condensed - excess;
  if (lacking > 0.0f && air.rain > 0.0f) {
    const float dryness = 1.0f - air.vapour / saturated;
    const float possible =
        seconds * evaporation(air.rain, density, dryness, hectopascals, saturated);
    evaporated = fminf(possible, fminf(lacking, air.rain));
  }
  air.warmth += kLatentHeat / (kHeatCapacity * exner) * (condensed - evaporated);
  air.vapour -= condensed - evaporated;
  air.cloud = cloud + condensed;
  air.rain -= evaporated;
}

}  // namespace

extern "C" __global__ void kessler(Atmosphere atmosphere, float seconds) {
  const int x = blockIdx.x * kSide + threadIdx.x;
  const int y = blockIdx.y * kSide + threadIdx.y;
  if (x >= atmosphere.width || y >= atmosphere.depth) return;
  const int column = y * atmosphere.width + x;
  const int level_size = atmosphere.width * atmosphere.depth;

  // Rain in kg/m^3, and how fast it falls.
  float rain[kLevels], speed[kLevels];
  const float ground_density = atmosphere.density[column];
  float courant = 0.0f;
  for (int level = 0, i = column; level < kLevels; ++level, i += level_size) {
    const float density = atmosphere.density[i];
    rain[level] = density * atmosphere.rain[i];
    speed[level] = fall_speed(rain[level], density, ground_density);
    courant = fmaxf(courant, speed[level] * seconds / atmosphere.thickness[i]);
  }

  // In such parts of the step that no rain falls further than a level.
  const int fall_steps = static_cast<int>(ceilf(courant));
  const float part = seconds / static_cast<float>(max(fall_steps, 1));
  float fallen = 0.0f;
  for (int step = 0; step < fall_steps; ++step) {
    float out = rain[0] * speed[0] * part;
    fallen += out;
    for (int level = 0, i = column; level < kLevels; ++level, i += level_size) {
      const float in = level + 1 < kLevels ? rain[level + 1] * speed[level + 1] * part : 0.0f;
      rain[level] = fmaxf(rain[level] + (in - out) / atmosphere.thickness[i], 0.0f);
      out = in;
    }
  }
  atmosphere.fallen[column] += fallen;
  atmosphere.fall_steps[column] = fall_steps;

  for (int level = 0, i = column; level < kLevels; ++level, i += level_size) {
    const float density = atmosphere.density[i];
    Air air = {atmosphere.warmth[i], atmosphere.vapour[i], atmosphere.cloud[i],
               rain[level] / density};
    convert(air, density, atmosphere.exner[i], seconds);
    atmosphere.warmth[i] = air.warmth;
    atmosphere.vapour[i] = air.vapour;
    atmosphere.cloud[i] = air.cloud;
    atmosphere.rain[i] = air.rain;
  }
}
