#pragma once

// The network on the host: its training, and the outputs of its layers in double precision.

#include <span>
#include <vector>

#include "kernel.h"

namespace heddle::workload::network {

/// The weights in the order that neural_network describes.
struct Weights {
  std::vector<float> first, second, hidden, output;
};

/// The weights of a network that recognises digits, always the same.
const Weights& trained_weights();

/// The outputs of a layer's neurons.
struct LayerOutputs {
  std::vector<double> values;
  /// The bound of an output's error when its sum is computed in single precision, one input at a
  /// time: six standard deviations of the roundings of all partial sums.
  double rounding = 0;
};

LayerOutputs first_maps_of(const Weights& weights, std::span<const float> image);
LayerOutputs second_maps_of(const Weights& weights, std::span<const float> first);
LayerOutputs hidden_layer_of(const Weights& weights, std::span<const float> second);
LayerOutputs output_layer_of(const Weights& weights, std::span<const float> hidden);

}  // namespace heddle::workload::network
