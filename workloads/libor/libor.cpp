#include <cmath>
#include <vector>

#include "dual.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::libor_host {
namespace {

using libor::kNotional;
using libor::kSwaptions;
using libor::kThreads;
using libor::Market;

struct Extent {
  std::uint32_t paths;
  int rates;
  int steps;
};

/// Sizes that are not multiples of the block, except `large`.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {150, 20, 10};
    case Size::small:
      return {500, 40, 20};
    case Size::medium:
      return {760, 80, 40};
    case Size::large:
    case Size::paper:
      break;
  }
  return {4'096, 80, 40};
}

/// Swaps of five lengths at three rates, near those of the market.
Market market_of(const Extent& extent, Random& random) {
  Market market{};
  market.rates = extent.rates;
  market.steps = extent.steps;
  market.interval = 0.25F;
  market.root_interval = 0.5F;
  for (int i = 0; i < extent.rates; ++i) {
    market.initial[i] = random.uniform_float(0.045F, 0.055F);
    market.volatility[i] = random.uniform_float(0.15F, 0.25F);
  }
  for (int i = 0; i < kSwaptions; ++i) {
    market.swaptions[i] = {.intervals = (extent.rates - extent.steps) * (i / 3 + 1) / 5,
                           .rate = 0.045F + 0.005F * static_cast<float>(i % 3)};
  }
  return market;
}

/// The value of a path, its derivative, and the bound of the GPU's error.
struct PathValue {
  Dual worth;
  double value_error = 0;
  double slope_error = 0;
};

/// The bound for 40 steps, in roundings of 2^-24. A step rounds a rate by at most 8, of which the
/// exponential has 4, and 400 over all steps. A fortieth of this enters a bond that is an interval
/// longer; with its own roundings, that is 360 in the longest bond and the annuity. The discount
/// has as much.
constexpr double kValueError = 400 * 0x1p-24;
/// All terms of a slope are positive, except those of the discount. Going back a step adds 12
/// roundings, and a sum of 80 terms that are at most a fifth of the whole.
constexpr double kSlopeError = 1600 * 0x1p-24;

/// Follows a path, with all rates rising together.
PathValue follow(const Market& market, const std::vector<double>& normals) {
  const auto rates = static_cast<std::size_t>(market.rates);
  const auto steps = static_cast<std::size_t>(market.steps);
  const double interval = market.interval;
  std::vector<Dual> rate;
  for (std::size_t i = 0; i < rates; ++i) rate.push_back({market.initial[i], 1});
  for (std::size_t step = 0; step < steps; ++step) {
    Dual drift;
    for (std::size_t i = step + 1; i < rates; ++i) {
      const double volatility = market.volatility[i - step - 1];
      const Dual share = interval * rate[i] / (1 + interval * rate[i]);
      drift = drift + volatility * share;
      const double random = volatility * std::sqrt(interval) * normals[step];
      rate[i] = rate[i] * exp(random - volatility * volatility * interval / 2 +
                              interval * volatility * drift);
    }
  }

  Dual now{1, 0};
  for (std::size_t i = 0; i < steps; ++i) now = now / (1 + interval * rate[i]);
  PathValue result;
  for (const libor::Swaption& swaption : market.swaptions) {
    Dual bond{1, 0};
    Dual annuity;
    for (std::size_t i = 0; i < static_cast<std::size_t>(swaption.intervals); ++i) {
      bond = bond / (1 + interval * rate[steps + i]);
      annuity = annuity + interval * bond;
    }
    const Dual receives = bond + static_cast<double>(swaption.rate) * annuity;
    const double cost_error = kValueError * (receives.value + 1);
    const Dual gains = -1.0 * (-1.0 + receives);
    const Dual pays = kNotional * (now * gains);
    if (gains.value > 0) {
      result.worth = result.worth + pays;
      result.slope_error += kSlopeError * kNotional *
                            (now.value * std::abs(gains.slope) + std::abs(now.slope) * gains.value);
    }
    // The GPU may decide otherwise whether this swaption is worth exercising.
    if (std::abs(gains.value) < cost_error) result.slope_error += std::abs(pays.slope);
    result.value_error += kNotional * now.value * cost_error;
  }
  return result;
}

class Libor final : public HostProgram {
 public:
  Libor(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    market_ = market_of(extent_, random);
    normals_.resize(static_cast<std::size_t>(extent_.steps) * extent_.paths);
    for (float& normal : normals_) normal = static_cast<float>(random.normal());
  }

  void run(Gpu& device) override {
    device.write_symbol("market", market_);
    const auto paths = static_cast<int>(extent_.paths);
    const Array<float> normals = device.upload(normals_, "normals");
    const Array<float> values = device.allocate<float>(extent_.paths, "values");
    const Array<float> sensitivities = device.allocate<float>(extent_.paths, "sensitivities");
    const LaunchShape shape{.grid = {(extent_.paths + kThreads - 1) / kThreads},
                            .block = {kThreads}};
    device.launch("portfolio_values", shape, normals, values, paths);
    values_ = device.download(values);
    device.launch("portfolio_sensitivities", shape, normals, values, sensitivities, paths);
    values_again_ = device.download(values);
    sensitivities_ = device.download(sensitivities);
  }

  CheckResult check() const override {
    std::vector<double> value, value_again, want_value, slope, want_slope;
    for (std::size_t path = 0; path < extent_.paths; ++path) {
      std::vector<double> normals;
      for (std::size_t i = path; i < normals_.size(); i += extent_.paths) {
        normals.push_back(normals_[i]);
      }
      const PathValue want = follow(market_, normals);
      value.push_back(values_[path] / want.value_error);
      value_again.push_back(values_again_[path] / want.value_error);
      want_value.push_back(want.worth.value / want.value_error);
      // A path on which nothing can be exercised has a slope of exactly 0.
      const double scale = want.slope_error > 0 ? want.slope_error : 1e-30;
      slope.push_back(sensitivities_[path] / scale);
      want_slope.push_back(want.worth.slope / scale);
    }
    CheckResult check;
    const Bound bound{.absolute = 1,
                      .reason = "400 roundings of 2^-24 of what swaptions pay and receive"};
    check.close("values / their bounds", value, want_value, bound);
    check.close("values with sensitivities / their bounds", value_again, want_value, bound);
    check.close("sensitivities / their bounds", slope, want_slope,
                {.absolute = 1,
                 .reason = "1600 roundings of 2^-24; a swaption at the edge of being exercised may "
                           "count or not"});
    return check;
  }

 private:
  Extent extent_;
  Market market_{};
  std::vector<float> normals_, values_, values_again_, sensitivities_;
};

const Registration kRegistration({
    .name = "libor",
    .summary =
        "Swaptions in the LIBOR market model: values and, by the adjoint method, sensitivities",
    .papers = {"preexec Table 2"},
    .kernels = {{"portfolio_values", {kThreads}}, {"portfolio_sensitivities", {kThreads}}},
    .make = make_program<Libor>,
});

}  // namespace
}  // namespace heddle::workload::libor_host
