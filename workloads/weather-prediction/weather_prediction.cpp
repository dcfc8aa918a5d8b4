#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "atmosphere_input.h"
#include "base/colour.h"
#include "kernel.h"
#include "kessler_reference.h"
#include "workload/workload.h"

namespace heddle::workload::weather_prediction_host {
namespace {

using weather::Air;
using weather::Estimate;
using ::weather::kLevels;
using ::weather::kSide;

constexpr float kSeconds = 60;

struct Extent {
  int width, depth, steps;
};

/// Sizes that are not multiples of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {11, 7, 1};
    case Size::small:
      return {70, 62, 1};
    case Size::medium:
      return {70, 62, 5};
    case Size::large:
    case Size::paper:
      break;
  }
  return {118, 102, 6};
}

/// The state after a step.
struct Forecast {
  Air air;
  std::vector<float> fallen;
  std::vector<int> fall_steps;
};

class WeatherPrediction final : public HostProgram {
 public:
  WeatherPrediction(Size size, std::uint64_t seed)
      : extent_(extent_of(size)), day_(weather::make_day(extent_.width, extent_.depth, seed)) {}

  void run(Gpu& device) override {
    const auto warmth = device.upload(day_.air.warmth, "potential temperature");
    const auto vapour = device.upload(day_.air.vapour, "vapour");
    const auto cloud = device.upload(day_.air.cloud, "cloud");
    const auto rain = device.upload(day_.air.rain, "rain");
    const auto density = device.upload(day_.layers.density, "density");
    const auto exner = device.upload(day_.layers.exner, "exner function");
    const auto thickness = device.upload(day_.layers.thickness, "thickness");
    const auto fallen = device.allocate<float>(columns(), "rain on the ground");
    const auto fall_steps = device.allocate<int>(columns(), "fall's steps");
    device.fill(fallen, 0);
    const DeviceAtmosphere atmosphere{warmth.address,    vapour.address,  cloud.address,
                                      rain.address,      density.address, exner.address,
                                      thickness.address, fallen.address,  fall_steps.address,
                                      extent_.width,     extent_.depth};
    const LaunchShape shape{.grid = {blocks_for(static_cast<std::size_t>(extent_.width), kSide),
                                     blocks_for(static_cast<std::size_t>(extent_.depth), kSide)},
                            .block = {kSide, kSide}};
    forecasts_ = {{day_.air, std::vector<float>(columns()), {}}};
    for (int step = 0; step < extent_.steps; ++step) {
      device.launch("kessler", shape, atmosphere, kSeconds);
      forecasts_.push_back({{device.download(warmth), device.download(vapour),
                             device.download(cloud), device.download(rain)},
                            device.download(fallen),
                            device.download(fall_steps)});
    }
  }

  /// Computes every step in double precision from the device's state before it. The error bound of
  /// single precision is followed for each value, because errors of differences depend on the
  /// column.
  CheckResult check() const override {
    Comparison comparison;
    for (std::size_t step = 1; step < forecasts_.size(); ++step) compare(comparison, step);
    CheckResult check;
    const auto close = [&](const std::string& what, const ScaledValues& compared) {
      check.close(what + " / its roundings", compared.got, compared.want,
                  {.absolute = 0x1p-24, .reason = "roundings of 2^-24 in all operations"});
    };
    close("potential temperature", comparison.warmth);
    close("vapour", comparison.vapour);
    close("cloud", comparison.cloud);
    close("rain", comparison.rain);
    close("rain on the ground", comparison.fallen);
    check.exact("parts of the fall", comparison.fall_steps, comparison.want_fall_steps);
    return check;
  }

  /// A section through the middle, from the ground up, with white clouds and dark rain.
  std::optional<Picture> picture() const override {
    constexpr int kScale = 10;
    Picture picture{extent_.width * kScale, kLevels * kScale, {}};
    const Air& air = forecasts_.back().air;
    for (int row = 0; row < picture.height; ++row) {
      for (int column = 0; column < picture.width; ++column) {
        const int level = kLevels - 1 - row / kScale;
        const std::size_t i = place(level, extent_.depth / 2 * extent_.width + column / kScale);
        const double white = std::min(static_cast<double>(air.cloud[i]) / 0.002, 1.0);
        const double dark = std::min(static_cast<double>(air.rain[i]) / 0.006, 1.0);
        const auto mix = [&](double sky) {
          return static_cast<std::uint32_t>((sky + (255 - sky) * white) * (1 - 0.7 * dark));
        };
        picture.pixels.push_back(rgb(mix(90), mix(150), mix(225)));
      }
    }
    return picture;
  }

 private:
  /// weather::Atmosphere with device addresses.
  struct DeviceAtmosphere {
    Address warmth, vapour, cloud, rain, density, exner, thickness, fallen, fall_steps;
    std::int32_t width, depth;
  };
  static_assert(sizeof(DeviceAtmosphere) == sizeof(::weather::Atmosphere));

  /// Results and expected values, both divided by the error bounds.
  struct ScaledValues {
    std::vector<double> got, want;

    void add(float value, const Estimate& estimate) {
      // Errors below 1e-12 are negligible in all units: kg/kg, kelvins, millimetres.
      const double scale = estimate.error + 1e-12;
      got.push_back(static_cast<double>(value) / scale);
      want.push_back(estimate.value / scale);
    }
  };

  struct Comparison {
    ScaledValues warmth, vapour, cloud, rain, fallen;
    std::vector<int> fall_steps, want_fall_steps;
  };

  std::size_t columns() const { return static_cast<std::size_t>(extent_.width * extent_.depth); }
  std::size_t place(int level, int column) const {
    return static_cast<std::size_t>(level) * columns() + static_cast<std::size_t>(column);
  }

  weather::Column column_of(const Forecast& forecast, int column) const {
    weather::Column result;
    result.fallen.value = static_cast<double>(forecast.fallen[static_cast<std::size_t>(column)]);
    for (int k = 0; k < kLevels; ++k) {
      const auto value_at = [&](const std::vector<float>& field) {
        return static_cast<double>(field[place(k, column)]);
      };
      const auto& [air, layers] = day_;
      result.levels.at(static_cast<std::size_t>(k)) = {.warmth = {value_at(forecast.air.warmth)},
                                                       .vapour = {value_at(forecast.air.vapour)},
                                                       .cloud = {value_at(forecast.air.cloud)},
                                                       .rain = {value_at(forecast.air.rain)},
                                                       .density = value_at(layers.density),
                                                       .exner = value_at(layers.exner),
                                                       .thickness = value_at(layers.thickness)};
    }
    return result;
  }

  void compare(Comparison& comparison, std::size_t step) const {
    const Forecast &before = forecasts_[step - 1], &after = forecasts_[step];
    for (int column = 0; column < static_cast<int>(columns()); ++column) {
      weather::Column air = column_of(before, column);
      const int fall_steps = after.fall_steps[static_cast<std::size_t>(column)];
      // An integer within the roundings of the fall's speed, 17 of 2^-24, may be rounded either
      // way.
      const double courant = air.courant(kSeconds), off = 17 * 0x1p-24 * courant;
      const bool is_right = fall_steps >= courant - off && fall_steps < courant + off + 1;
      const int want_fall_steps = is_right ? fall_steps : static_cast<int>(std::ceil(courant));
      air.step(kSeconds, want_fall_steps);
      comparison.fall_steps.push_back(fall_steps);
      comparison.want_fall_steps.push_back(want_fall_steps);
      comparison.fallen.add(after.fallen[static_cast<std::size_t>(column)], air.fallen);
      for (int k = 0; k < kLevels; ++k) {
        const weather::Level& level = air.levels.at(static_cast<std::size_t>(k));
        const std::size_t i = place(k, column);
        comparison.warmth.add(after.air.warmth[i], level.warmth);
        comparison.vapour.add(after.air.vapour[i], level.vapour);
        comparison.cloud.add(after.air.cloud[i], level.cloud);
        comparison.rain.add(after.air.rain[i], level.rain);
      }
    }
  }

  Extent extent_;
  weather::Day day_;
  std::vector<Forecast> forecasts_;  ///< Before the first step and after each.
};

const Registration kRegistration({
    .name = "weather-prediction",
    .summary = "Clouds and rain of a weather forecast, by Kessler's scheme",
    .papers = {"preexec Table 2"},
    .kernels = {{"kessler", {kSide, kSide}}},
    .has_picture = true,
    .make = make_program<WeatherPrediction>,
});

}  // namespace
}  // namespace heddle::workload::weather_prediction_host
