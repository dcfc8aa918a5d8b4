#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "../monte-carlo-select/kernel.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::monte_carlo_host {
namespace {

constexpr std::uint32_t kBlock = 384;  // 12 warps: warpman Table 2
constexpr std::uint32_t kSampleBlock = 128;
constexpr std::uint32_t kSumBlock = 32;
constexpr double kRate = 0.04;

struct Dimensions {
  std::uint32_t options;
  std::uint32_t paths;  ///< At most 2^23, the number of different samples.
};

/// The number of paths is not a multiple of the block, so the last iteration over them is partial.
Dimensions dimensions_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {.options = 9, .paths = 3'000};
    case Size::small:
      return {.options = 70, .paths = 9'500};
    case Size::medium:
      return {.options = 150, .paths = 50'000};
    case Size::large:
    case Size::paper:
      break;
  }
  return {.options = 256, .paths = 250'000};
}

/// The parameters of an option.
struct Contract {
  double years = 0;
  double volatility = 0;
  /// log(strike / spot)
  double moneyness = 0;

  double drift() const { return (kRate - volatility * volatility / 2) * years; }
  double deviation() const { return volatility * std::sqrt(years); }
  double discount() const { return std::exp(-kRate * years); }
};

double normal_distribution(double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }

/// The z > 0 beyond which the distribution has `tail`: Hastings's approximation (Abramowitz and
/// Stegun 26.2.23), refined by Newton's method.
double normal_quantile_of_tail(double tail) {
  const double t = std::sqrt(-2 * std::log(tail));
  double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int step = 0; step < 3; ++step) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    z += (normal_distribution(-z) - tail) / density;
  }
  return z;
}

/// The radical inverse of each path's number, digit by digit, with 23 digits.
std::vector<double> reference_samples(std::uint32_t paths, std::uint32_t shift) {
  std::vector<double> samples(paths);
  for (std::uint32_t path = 0; path < paths; ++path) {
    double fraction = 0x1p-24;
    for (std::uint32_t digit = 0; digit < 23; ++digit) {
      const std::uint32_t mirrored = path >> digit & 1;
      const std::uint32_t shifted = mirrored ^ (shift >> (31 - digit) & 1);
      // The highest digit is a sign: from 1/2 down to -1/2, then up again.
      const bool is_set = digit == 0 ? shifted == 0 : shifted == 1;
      if (is_set) fraction += std::ldexp(0.5, -static_cast<int>(digit));
    }
    samples[path] =
        fraction < 0.5 ? -normal_quantile_of_tail(fraction) : normal_quantile_of_tail(1 - fraction);
  }
  return samples;
}

/// Means over the paths of an option.
struct Means {
  double payoff = 0;
  double square = 0;
  /// The mean of the final price, with 0 for paths without a payoff, and of the product of final
  /// price and payoff.
  double paying_end = 0;
  double product = 0;
};

/// How a path that pays nothing is treated: it branches around the exponential, or a select takes 0
/// in place of its payoff.
enum class Payoff : std::uint8_t { branch, select };

class MonteCarlo final : public HostProgram {
 public:
  MonteCarlo(Payoff payoff, Size size, std::uint64_t seed)
      : payoff_(payoff), paths_(dimensions_of(size).paths) {
    Random random(seed);
    shift_ = static_cast<std::uint32_t>(random.next() >> 32);
    for (std::uint32_t i = 0; i < dimensions_of(size).options; ++i) {
      Contract contract;
      contract.years = random.uniform(0.25, 3);
      contract.volatility = random.uniform(0.1, 0.4);
      contract.moneyness = contract.deviation() * random.uniform(-1.5, 1.5);
      const double spot = random.uniform(5, 100);
      const double least = (contract.moneyness - contract.drift()) / contract.deviation();
      contracts_.push_back(contract);
      options_.push_back({.spot = static_cast<float>(spot),
                          .strike = static_cast<float>(spot * std::exp(contract.moneyness)),
                          .drift = static_cast<float>(contract.drift()),
                          .deviation = static_cast<float>(contract.deviation()),
                          .least_sample = static_cast<float>(least)});
    }
  }

  void run(Gpu& device) override {
    const auto count = static_cast<std::uint32_t>(options_.size());
    const auto options =
        payoff_ == Payoff::branch ? device.upload(options_, "options") : Array<Option>{};
    const Array<float> samples = device.allocate<float>(paths_, "samples");
    const Array<Sums> partial =
        payoff_ == Payoff::branch
            ? device.allocate<Sums>(std::size_t{count} * kBlock, "partial sums")
            : Array<Sums>{};
    const Array<Sums> sums = device.allocate<Sums>(count, "sums");
    device.launch("normal_samples",
                  {.grid = {blocks_for(paths_, kSampleBlock)}, .block = {kSampleBlock}}, samples,
                  static_cast<int>(paths_), shift_);
    if (payoff_ == Payoff::branch) {
      price_by_branches(device, options, samples, partial, sums);
    } else {
      device.write_symbol("constant_options", options_);
      device.launch("price_options_by_selects", {.grid = {count}, .block = {kSelectBlock}}, samples,
                    static_cast<int>(paths_), sums);
    }
    samples_ = device.download(samples);
    sums_ = device.download(sums);
  }

  CheckResult check() const override {
    const std::vector<double> samples = reference_samples(paths_, shift_);
    CheckResult check;
    check.close("samples", samples_, samples,
                {.relative = 1e-7 + 10 * 0x1p-24,
                 .reason = "1e-7 of the rational functions and 10 roundings of 2^-24"});

    // An error of the final price is also an error of the payoff. Its effect on the squared payoff
    // is twice the payoff times the error.
    std::vector<double> got_payoffs, want_payoffs, got_squares, want_squares;
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const Means want = reference_means(i, samples);
      got_payoffs.push_back(sums_[i].payoff / (paths_ * want.paying_end));
      want_payoffs.push_back(want.payoff / want.paying_end);
      got_squares.push_back(sums_[i].square / (paths_ * 2 * want.product));
      want_squares.push_back(want.square / (2 * want.product));
    }
    const Bound bound{.absolute = 16 * 0x1p-24,
                      .reason =
                          "16 roundings of 2^-24, as shares of the price at the end: 8 of the "
                          "samples, 6 of the price, 2 of the sums"};
    check.close("payoff", got_payoffs, want_payoffs, bound);
    check.close("payoff squared", got_squares, want_squares, bound);
    for (std::size_t i = 0; i < options_.size(); ++i) require_confidence(check, i);
    return check;
  }

 private:
  void price_by_branches(Gpu& device, const Array<Option>& options, const Array<float>& samples,
                         const Array<Sums>& partial, const Array<Sums>& sums) const {
    const auto count = static_cast<std::uint32_t>(options_.size());
    device.launch("price_options", {.grid = {count}, .block = {kBlock}}, options, samples,
                  static_cast<int>(paths_), partial);
    device.launch("sum_partials", {.grid = {blocks_for(count, kSumBlock)}, .block = {kSumBlock}},
                  partial, static_cast<int>(kBlock), sums, static_cast<int>(count));
  }

  Means reference_means(std::size_t option, const std::vector<double>& samples) const {
    const Contract& contract = contracts_[option];
    const double drift = contract.drift();
    const double deviation = contract.deviation();
    const double spot = options_[option].spot;
    const double strike = options_[option].strike;
    Means sums;
    for (const double sample : samples) {
      const double end = spot * std::exp(drift + deviation * sample);
      const double payoff = end - strike;
      if (payoff <= 0) continue;
      sums.payoff += payoff;
      sums.square += payoff * payoff;
      sums.paying_end += end;
      sums.product += payoff * end;
    }
    return {.payoff = sums.payoff / paths_,
            .square = sums.square / paths_,
            .paying_end = sums.paying_end / paths_,
            .product = sums.product / paths_};
  }

  /// Requires that the price agrees with the Black-Scholes formula within the confidence of this
  /// many paths.
  void require_confidence(CheckResult& check, std::size_t i) const {
    const Contract& contract = contracts_[i];
    const double mean = sums_[i].payoff / static_cast<double>(paths_);
    const double variance = (sums_[i].square - paths_ * mean * mean) / (paths_ - 1);
    const double price = contract.discount() * mean;
    const double error = contract.discount() * std::sqrt(variance / paths_);
    const double d2 = (contract.drift() - contract.moneyness) / contract.deviation();
    const double want = options_[i].spot * normal_distribution(d2 + contract.deviation()) -
                        options_[i].strike * contract.discount() * normal_distribution(d2);
    check.require(std::abs(price - want) <= 5 * error, "price of option " + std::to_string(i),
                  std::to_string(price) + " (standard error " + std::to_string(error) + ")",
                  std::to_string(want));
  }

  Payoff payoff_;
  std::uint32_t paths_;
  std::uint32_t shift_ = 0;
  std::vector<Contract> contracts_;
  std::vector<Option> options_;
  std::vector<float> samples_;
  std::vector<Sums> sums_;
};

template <Payoff payoff>
std::unique_ptr<HostProgram> make_monte_carlo(Size size, std::uint64_t seed) {
  return std::make_unique<MonteCarlo>(payoff, size, seed);
}

const Registration kBranch({
    .name = "monte-carlo",
    .summary = "Prices of European calls from simulated paths of the share",
    .papers = {"warpman Table 2"},
    .kernels = {{"normal_samples", {kSampleBlock}},
                {"price_options",
                 {kBlock},
                 PaperResources{.source = "warpman Table 2",
                                .registers_per_thread = 20,
                                .shared_bytes_per_block = 0,
                                .blocks_per_sm = 4}},
                {"sum_partials", {kSumBlock}}},
    .make = make_monte_carlo<Payoff::branch>,
});

const Registration kSelect({
    .name = "monte-carlo-select",
    .summary = "monte-carlo with a select in place of the branch, and sums in shared memory",
    .papers = {"preexec Table 2"},
    .kernels = {{"normal_samples", {kSampleBlock}}, {"price_options_by_selects", {kSelectBlock}}},
    .make = make_monte_carlo<Payoff::select>,
});

}  // namespace
}  // namespace heddle::workload::monte_carlo_host
