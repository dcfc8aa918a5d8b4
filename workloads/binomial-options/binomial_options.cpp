#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::binomial_options_host {
namespace {

using binomial_options::kMostOptions;
using binomial_options::kThreads;

constexpr double kRate = 0.06;

struct Extent {
  std::size_t options;
  int steps;
};

/// The number of steps is even. It need not be a multiple of the kDepth steps that a tile goes
/// back, nor the number of nodes a multiple of the tile.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {3, 150};
    case Size::small:
      return {30, 300};
    case Size::medium:
      return {30, 800};
    case Size::large:
    case Size::paper:
      break;
  }
  return {40, 2048};
}

struct Contract {
  double spot, strike, years, volatility;
};

/// A price and the number of roundings of 2^-24 by which it may be off.
struct Price {
  double value = 0;
  double roundings = 0;
};

/// The expected payoff from the binomial distribution of the number of moves up, without a tree.
Price expected_payoff(const Contract& contract, int steps) {
  const double interval = contract.years / steps;
  const double move = contract.volatility * std::sqrt(interval);
  const double up = (std::exp(kRate * interval) - std::exp(-move)) / (2 * std::sinh(move));
  const double discount = std::exp(-kRate * contract.years);
  Price price;
  for (int node = 0; node <= steps; ++node) {
    const double ways =
        std::lgamma(steps + 1.0) - std::lgamma(node + 1.0) - std::lgamma(steps - node + 1.0);
    const double chance = std::exp(ways + node * std::log(up) + (steps - node) * std::log1p(-up));
    const double growth = move * (2 * node - steps);
    const double share = contract.spot * std::exp(growth);
    if (share <= contract.strike) continue;
    price.value += discount * chance * (share - contract.strike);
    // Roundings of a payoff: `growth` is rounded as a factor and as a product; the exponential is
    // accurate to two units in the last place; its product with the price and the difference are
    // rounded once each.
    price.roundings += discount * chance * share * (2 * std::abs(growth) + 6);
  }
  // Each step of the tree rounds the two probabilities, a product and a sum, all positive.
  price.roundings += 3.0 * steps * price.value;
  return price;
}

class BinomialOptions final : public HostProgram {
 public:
  BinomialOptions(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    for (std::size_t i = 0; i < extent_.options; ++i) {
      const double spot = random.uniform(5, 100);
      contracts_.push_back({.spot = static_cast<float>(spot),
                            .strike = static_cast<float>(spot * random.uniform(0.7, 1.4)),
                            .years = random.uniform(0.25, 5),
                            .volatility = random.uniform(0.1, 0.4)});
    }
  }

  void run(Gpu& device) override {
    std::vector<binomial_options::Option> options(kMostOptions);
    std::transform(contracts_.begin(), contracts_.end(), options.begin(),
                   [this](const Contract& contract) { return option_of(contract); });
    device.write_symbol("options", options);
    const Array<float> fronts = device.allocate<float>(
        extent_.options * (static_cast<std::size_t>(extent_.steps) + 1), "fronts");
    const Array<float> prices = device.allocate<float>(extent_.options, "prices");
    device.launch("price_options",
                  {.grid = {static_cast<std::uint32_t>(extent_.options)}, .block = {kThreads}},
                  fronts, prices, extent_.steps);
    prices_ = device.download(prices);
  }

  CheckResult check() const override {
    std::vector<double> got, want;
    for (std::size_t i = 0; i < contracts_.size(); ++i) {
      const Price price = expected_payoff(contracts_[i], extent_.steps);
      got.push_back(static_cast<double>(prices_[i]) / price.roundings);
      want.push_back(price.value / price.roundings);
    }
    CheckResult check;
    check.close("prices / their roundings", got, want,
                {.absolute = 1.001 * 0x1p-24,
                 .reason = "the roundings of 2^-24 in every step of the tree and every payoff, "
                           "which the check counts"});
    return check;
  }

 private:
  binomial_options::Option option_of(const Contract& contract) const {
    const double interval = contract.years / extent_.steps;
    const double move = contract.volatility * std::sqrt(interval);
    const double up =
        (std::exp(kRate * interval) - std::exp(-move)) / (std::exp(move) - std::exp(-move));
    const double discount = std::exp(-kRate * interval);
    return {.spot = static_cast<float>(contract.spot),
            .strike = static_cast<float>(contract.strike),
            .move = static_cast<float>(move),
            .up = static_cast<float>(discount * up),
            .down = static_cast<float>(discount * (1 - up))};
  }

  Extent extent_;
  std::vector<Contract> contracts_;
  std::vector<float> prices_;
};

const Registration kRegistration({
    .name = "binomial-options",
    .summary = "Prices of European options on binomial trees, a block a tree",
    .papers = {"storage Table 4.2"},
    .kernels = {{"price_options", {kThreads}}},
    .make = make_program<BinomialOptions>,
});

}  // namespace
}  // namespace heddle::workload::binomial_options_host
