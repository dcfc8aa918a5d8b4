#pragma once

// What the host part and the kernels of libor share.

namespace libor {

constexpr int kThreads = 64;
constexpr int kMostRates = 80;
constexpr int kMostSteps = 40;
constexpr int kSwaptions = 15;
constexpr float kNotional = 100.0f;

/// A swaption can be exercised after the last step. Its swap then lasts for this many intervals.
struct Swaption {
  int intervals;
  float rate;
};

/// Forward rates, each for one interval of time. In each step, the first rate that is not yet fixed
/// becomes fixed, and the rates after it move.
struct Market {
  int rates;
  int steps;
  float interval;       ///< Years.
  float root_interval;  ///< Its square root.
  float initial[kMostRates];
  float volatility[kMostRates];  ///< By the intervals until a rate becomes fixed.
  Swaption swaptions[kSwaptions];
};

}  // namespace libor
