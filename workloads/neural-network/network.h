#pragma once

// The network on the host: how it learns, and what its layers answer, in double precision.

#include <span>
#include <vector>

#include "kernel.h"

namespace heddle::workload::network {

/// As neural_network describes their order.
struct Weights {
  std::vector<float> first, second, hidden, output;
};

/// A network that knows digits: always the same one.
const Weights& trained_weights();

/// What a layer's neurons answer to inputs.
struct Answers {
  std::vector<double> values;
  /// As far as an answer may be off when its sum is made in single precision, an input at a time:
  /// six standard deviations of what the roundings of all partial sums come to.
  double rounding = 0;
};

Answers first_maps_of(const Weights& weights, std::span<const float> image);
Answers second_maps_of(const Weights& weights, std::span<const float> first);
Answers hidden_layer_of(const Weights& weights, std::span<const float> second);
Answers output_layer_of(const Weights& weights, std::span<const float> hidden);

}  // namespace heddle::workload::network
