#pragma once

// What the host part and the kernels of monte-carlo share.

/// The logarithm of the share's price at expiry is log(spot) + drift + deviation * sample.
struct Option {
  float spot;
  float strike;
  float drift;
  float deviation;
  /// Greater samples lead to a price above the strike.
  float least_sample;
};

/// Sums over the paths of one option.
struct Sums {
  float payoff;
  float square;
};
