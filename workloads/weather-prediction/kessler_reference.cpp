#include "kessler_reference.h"

#include <algorithm>
#include <cmath>

namespace heddle::workload::weather {
namespace {

using ::weather::kLevels;

constexpr double kHeatCapacity = 1004, kLatentHeat = 2.5e6;

/// The errors of CUDA's functions in units of 2^-24: powf is within 4 ulp, expf within 2.
constexpr double kPower = 8, kExponential = 4;

/// The speed of fall in m/s, with rain in kg/m^3.
double fall_speed(double rain, double density, double ground_density) {
  return 36.34 * std::pow(0.001 * rain, 0.1364) * std::sqrt(ground_density / density);
}

/// The error of the rain that crosses a border: the power and twelve more roundings.
constexpr double kFluxError = kPower + 12;

void fall(Column& column, double seconds, int fall_steps) {
  std::array<double, kLevels> speed{};
  for (std::size_t k = 0; k < kLevels; ++k) {
    Level& level = column.levels.at(k);
    const double rain = level.density * level.rain.value;
    speed.at(k) = fall_speed(rain, level.density, column.levels[0].density);
    level.rain = {rain, rain};
  }
  for (int i = 0; i < fall_steps; ++i) {
    // The flow through the floor of each level.
    std::array<Estimate, kLevels + 1> flux{};
    for (std::size_t k = 0; k < kLevels; ++k) {
      const double share = speed.at(k) * seconds / fall_steps;
      const Estimate& rain = column.levels.at(k).rain;
      flux.at(k) = {share * rain.value, share * rain.error};
    }
    column.fallen.value += flux[0].value;
    column.fallen.error += flux[0].error + kFluxError * flux[0].value + column.fallen.value;
    for (std::size_t k = 0; k < kLevels; ++k) {
      Level& level = column.levels.at(k);
      const Estimate &in = flux.at(k + 1), &out = flux.at(k);
      // A relative error persists, except in rain that has left.
      level.rain.error += (in.error - out.error) / level.thickness;
      level.rain.error += kFluxError * (in.value + out.value) / level.thickness;
      level.rain.value += (in.value - out.value) / level.thickness;
      level.rain.error += level.rain.value;
    }
  }
  for (Level& level : column.levels) {
    level.rain.value /= level.density;
    level.rain.error = level.rain.error / level.density + level.rain.value;
  }
}

/// The relative error of a value.
double relative_error(const Estimate& estimate) {
  return estimate.value > 0 ? estimate.error / estimate.value : 0;
}

/// Turns cloud into rain.
void collect(Level& level, double seconds) {
  const double cloud = level.cloud.value;
  const double turned = seconds * 0.001 * std::max(cloud - 0.001, 0.0);
  const double swept = seconds * 2.2 * std::pow(level.rain.value, 0.875);
  const double remaining = (cloud - turned) / (1 + swept);
  const double swept_error = kPower + 3 + 0.875 * relative_error(level.rain);
  const double error = 5 * cloud + remaining * swept / (1 + swept) * swept_error;
  level.cloud = {remaining, error};
  level.rain.value += cloud - remaining;
  level.rain.error += error + level.rain.value;
}

/// The saturation mixing ratio and its relative error.
struct Saturation {
  double value, error;
};

/// The exponent has the error of the temperature, and five roundings.
Saturation saturation(double temperature, double hectopascals) {
  const double above = temperature - 36;
  const double exponent = 17.27 * (temperature - 273) / above;
  const double exponent_error =
      17.27 * (273 - 36) * temperature / (above * above) + 5 * std::abs(exponent);
  return {3.8 / hectopascals * std::exp(exponent), exponent_error + kExponential + 8};
}

/// The rain that can evaporate in a step.
Estimate evaporation(const Level& level, double seconds, const Saturation& saturated,
                     double hectopascals) {
  // Kessler's formula is in grams and centimetres.
  const double density = level.density / 1000, in_air = density * level.rain.value;
  const double ventilation = 1.6 + 124.9 * std::pow(in_air, 0.2046);
  const double diffusion = 5.4e5 + 2.55e6 / (hectopascals * saturated.value);
  const double humidity = level.vapour.value / saturated.value;
  const double if_dry = seconds * ventilation * std::pow(in_air, 0.525) / (diffusion * density);
  const double value = (1 - humidity) * if_dry;
  const double dryness_error = humidity * (saturated.error + 2) + 1;
  const double error = 2 * kPower + 20 + saturated.error + 0.73 * relative_error(level.rain);
  return {value, if_dry * dryness_error + std::abs(value) * error};
}

/// Condenses vapour, or evaporates cloud and rain.
void saturate(Level& level, double seconds) {
  const double temperature = level.exner * level.warmth.value;
  const double hectopascals = 1000 * std::pow(level.exner, 3.5);
  const Saturation saturated = saturation(temperature, hectopascals);
  const double above = temperature - 36;
  const double warming =
      saturated.value * 17.27 * (273 - 36) * kLatentHeat / kHeatCapacity / (above * above);
  const double excess = (level.vapour.value - saturated.value) / (1 + warming);
  const double excess_error =
      (level.vapour.value + saturated.value * (saturated.error + 1)) / (1 + warming) +
      std::abs(excess) * (saturated.error + 10 + 2 * temperature / above);

  Estimate to_vapour{.error = excess_error + level.cloud.error};
  double evaporated = 0;
  if (excess >= -level.cloud.value) {
    to_vapour.value = -excess;
    level.cloud.value += excess;
  } else {
    // Evaporates all of the cloud, and as much rain as is still lacking, if there is enough rain
    // and time.
    const double lacking = -excess - level.cloud.value;
    const Estimate possible = evaporation(level, seconds, saturated, hectopascals);
    evaporated = std::min({possible.value, lacking, level.rain.value});
    if (level.rain.value > 0) to_vapour.error += std::max(possible.error, level.rain.error);
    to_vapour.value = level.cloud.value + evaporated;
    level.cloud.value = 0;
  }
  level.rain.value -= evaporated;
  level.rain.error += to_vapour.error + level.rain.value;
  level.cloud.error += to_vapour.error + level.cloud.value;
  level.vapour.value += to_vapour.value;
  level.vapour.error = to_vapour.error + level.vapour.value + std::abs(to_vapour.value);
  const double heat = kLatentHeat / (kHeatCapacity * level.exner);
  level.warmth.value -= heat * to_vapour.value;
  level.warmth.error =
      heat * (to_vapour.error + 4 * std::abs(to_vapour.value)) + level.warmth.value;
}

}  // namespace

double Column::courant(double seconds) const {
  double most = 0;
  for (const Level& level : levels) {
    const double speed =
        fall_speed(level.density * level.rain.value, level.density, levels[0].density);
    most = std::max(most, speed * seconds / level.thickness);
  }
  return most;
}

void Column::step(double seconds, int fall_steps) {
  fall(*this, seconds, fall_steps);
  for (Level& level : levels) {
    collect(level, seconds);
    saturate(level, seconds);
  }
}

}  // namespace heddle::workload::weather
