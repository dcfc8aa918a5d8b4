#include "atmosphere_input.h"

#include <algorithm>
#include <cmath>

#include "kernel.h"
#include "workload/inputs/noise.h"
#include "workload/random.h"

namespace heddle::workload::weather {
namespace {

using ::weather::kLevels;

/// e^x, the same on every host.
double exponential(double x) {
  double power = 1 + x / 1024 + x * x / (2.0 * 1024 * 1024);
  for (int doubling = 0; doubling < 10; ++doubling) power *= power;
  return power;
}

/// The saturation mixing ratio of vapour in kg/kg.
double saturation(double temperature, double hectopascals) {
  return 3.8 / hectopascals * exponential(17.27 * (temperature - 273) / (temperature - 36));
}

/// The weather of a place, from 0 (fair) to 1 (the middle of a shower).
class Showers {
 public:
  explicit Showers(Random& random) : noise_(random) {}

  double at(double x, double y) const {
    return smooth_step(0.5, 0.72, noise_.octaves(x / 14, y / 14, 3));
  }
  /// The height of the ground as a share of the atmosphere's.
  double ground(double x, double y) const { return 0.2 * noise_.octaves(x / 30 + 90, y / 30, 2); }

 private:
  Noise noise_;
};

/// The air above a column's ground. With height its potential temperature rises and it grows drier.
class Column {
 public:
  Column(double ground, double shower) : ground_(ground), shower_(shower) {}

  /// Moves one level up.
  void rise() {
    const double thickness = (1 - ground_) * (220 + 18.0 * level_);
    const double middle = height_ + thickness / 2, share = middle / kTop;
    const double warmth = 300 + 43 * share * std::sqrt(std::sqrt(share));
    // The Exner function falls by the weight of the air below (hydrostatics).
    const double exner = exner_ - 9.81 * thickness / 2 / (1004 * warmth);
    exner_ = exner - 9.81 * thickness / 2 / (1004 * warmth);
    const double temperature = exner * warmth;
    const double hectopascals = 1000 * exner * exner * exner * std::sqrt(exner);
    const double saturated = saturation(temperature, hectopascals);
    // A shower's cloud has a base and a top; rain falls through and out of it.
    const double in_cloud = smooth_step(0.06, 0.12, share) * (1 - smooth_step(0.5, 0.7, share));
    const double below_top = 1 - smooth_step(0.3, 0.6, share);
    const double humid = std::min(0.9 - 0.65 * share, 0.014 / saturated);
    const double cloudiness = shower_ * in_cloud;
    height_ += thickness;
    ++level_;

    warmth_ = warmth + 1.5 * cloudiness;
    vapour_ = saturated * (humid + (1.02 - humid) * cloudiness);
    cloud_ = 0.0025 * cloudiness;
    rain_ = 0.004 * shower_ * shower_ * below_top;
    density_ = 100 * hectopascals / (287 * temperature);
    middle_exner_ = exner;
    thickness_ = thickness;
  }

  void store(Day& day) const {
    const auto add = [](std::vector<float>& field, double value) {
      field.push_back(static_cast<float>(value));
    };
    add(day.air.warmth, warmth_);
    add(day.air.vapour, vapour_);
    add(day.air.cloud, cloud_);
    add(day.air.rain, rain_);
    add(day.layers.density, density_);
    add(day.layers.exner, middle_exner_);
    add(day.layers.thickness, thickness_);
  }

 private:
  static constexpr double kTop = 14000;  ///< m

  double ground_, shower_;
  int level_ = 0;
  double height_ = kTop * ground_;
  /// The Exner function on the ground, with 1000 hPa at sea level.
  double exner_ = 1 - 9.81 * height_ / (1004 * 300);
  double warmth_ = 0, vapour_ = 0, cloud_ = 0, rain_ = 0;
  double density_ = 0, middle_exner_ = 0, thickness_ = 0;
};

}  // namespace

Day make_day(int width, int depth, std::uint64_t seed) {
  Random random(seed);
  const Showers showers(random);
  std::vector<Column> columns;
  for (int y = 0; y < depth; ++y) {
    for (int x = 0; x < width; ++x) columns.emplace_back(showers.ground(x, y), showers.at(x, y));
  }
  Day day;
  for (int level = 0; level < kLevels; ++level) {
    for (Column& column : columns) {
      column.rise();
      column.store(day);
    }
  }
  return day;
}

}  // namespace heddle::workload::weather
