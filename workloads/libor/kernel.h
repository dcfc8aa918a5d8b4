#pragma once

// What the host part and the kernels of libor share.

namespace libor {

constexpr int kThreads = 64;
constexpr int kMostRates = 80;
constexpr int kMostSteps = 40;
constexpr int kSwaptions = 15;
constexpr float kNotional = 100.0f;

/// A swaption can be exercised when the last step is done, on a swap that lasts from there on for
/// so many intervals.
struct Swaption {
  int intervals;
  float rate;
};

/// Forward rates, each for one interval of time. In each of the steps the first one that is left
/// becomes fixed, and those after it move.
struct Market {
  int rates;
  int steps;
  float interval;       ///< Years.
  float root_interval;  ///< Its square root.
  float initial[kMostRates];
  float volatility[kMostRates];  ///< Of a rate so many intervals before it becomes fixed.
  Swaption swaptions[kSwaptions];
};

}  // namespace libor
