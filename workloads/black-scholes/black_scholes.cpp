#include <algorithm>
#include <cmath>
#include <vector>

#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::black_scholes_host {
namespace {

constexpr std::uint32_t kBlock = 128;
constexpr std::uint32_t kResidentBlock = 1024;
/// 16 blocks for each of the 30 SMs of the GPU that the program was first written for.
constexpr std::uint32_t kMaxBlocks = 480;
constexpr std::uint32_t kOptionsPerThread = 3;
constexpr float kRate = 0.03F;
constexpr float kVolatility = 0.27F;

/// The number of options. It is not a multiple of the block, so some threads have one option less.
std::size_t count_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 5'000;
    case Size::small:
      return 150'000;
    case Size::medium:
      return 1'200'000;
    case Size::large:
    case Size::paper:
      break;
  }
  return 8'000'000;
}

double normal_distribution(double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }

class BlackScholes final : public HostProgram {
 public:
  BlackScholes(GridChoice grid, Size size, std::uint64_t seed) : grid_(grid) {
    Random random(seed);
    const std::size_t count = count_of(size);
    spot_.resize(count);
    strike_.resize(count);
    years_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      spot_[i] = random.uniform_float(5, 120);
      strike_[i] = spot_[i] * random.uniform_float(0.4F, 1.8F);
      years_[i] = random.uniform_float(0.1F, 5);
    }
  }

  void run(Gpu& device) override {
    const std::size_t count = spot_.size();
    const Array<float> spot = device.upload(spot_, "spot");
    const Array<float> strike = device.upload(strike_, "strike");
    const Array<float> years = device.upload(years_, "years");
    const Array<float> call = device.allocate<float>(count, "call");
    const Array<float> put = device.allocate<float>(count, "put");
    device.launch("black_scholes", shape_on(device), spot, strike, years, call, put, kRate,
                  kVolatility, static_cast<int>(count));
    call_ = device.download(call);
    put_ = device.download(put);
  }

  /// An error of either distribution is multiplied by the spot price or the discounted strike, so
  /// prices are compared as shares of the sum of the two. An error of d1 cancels to first order,
  /// because d2 has the same error.
  CheckResult check() const override {
    const std::size_t count = spot_.size();
    std::vector<double> got_call(count), got_put(count), want_call(count), want_put(count);
    const double rate = kRate;
    const double volatility = kVolatility;
    for (std::size_t i = 0; i < count; ++i) {
      const double spot = spot_[i];
      const double years = years_[i];
      const double discounted = strike_[i] * std::exp(-rate * years);
      const double deviation = volatility * std::sqrt(years);
      // Computed from the forward price and the middle between d1 and d2.
      const double middle = std::log(spot / discounted) / deviation;
      const double d1 = middle + deviation / 2;
      const double d2 = middle - deviation / 2;
      const double scale = 1 / (spot + discounted);
      want_call[i] =
          scale * (spot * normal_distribution(d1) - discounted * normal_distribution(d2));
      want_put[i] =
          scale * (discounted * normal_distribution(-d2) - spot * normal_distribution(-d1));
      got_call[i] = scale * call_[i];
      got_put[i] = scale * put_[i];
    }
    const Bound bound{.absolute = 7.5e-8 + 12 * 0x1p-24,
                      .reason =
                          "7.5e-8 of the polynomial and 12 roundings of 2^-24, as shares of "
                          "spot and discounted strike"};
    CheckResult check;
    check.close("call", got_call, want_call, bound);
    check.close("put", got_put, want_put, bound);
    return check;
  }

 private:
  LaunchShape shape_on(Gpu& device) const {
    if (grid_ == GridChoice::resident) {
      return device.resident_shape("black_scholes", kResidentBlock, spot_.size());
    }
    constexpr std::size_t kOptionsPerBlock = kBlock * kOptionsPerThread;
    const std::size_t blocks = (spot_.size() + kOptionsPerBlock - 1) / kOptionsPerBlock;
    return {.grid = {static_cast<std::uint32_t>(std::min<std::size_t>(kMaxBlocks, blocks))},
            .block = {kBlock}};
  }

  GridChoice grid_;
  std::vector<float> spot_, strike_, years_, call_, put_;
};

const Registration kRegistration({
    .name = "black-scholes",
    .summary = "Prices of European options by the formula of Black and Scholes",
    .papers = {"large-warps Table 2", "simt Table 7"},
    .kernels = {{"black_scholes", {kBlock}}},
    .make = make_form<BlackScholes, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"black_scholes", {kResidentBlock}}},
                             .make = make_form<BlackScholes, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::black_scholes_host
