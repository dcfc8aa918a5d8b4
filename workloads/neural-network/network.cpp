#include "network.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace heddle::workload::network {
namespace {

using namespace neural_network;

constexpr std::size_t size(int value) { return static_cast<std::size_t>(value); }

/// A neuron's sum, and the bound of its error in single precision.
class Sum {
 public:
  explicit Sum(float bias) : value_(bias) {}
  void add(float input, float weight) {
    value_ += double{input} * double{weight};
    squares_ += value_ * value_;
  }
  void append_to(LayerOutputs& outputs) const {
    outputs.values.push_back(double{kHeight} * std::tanh(double{kSlope} * value_));
    // A partial sum is off by up to 2^-24 of itself, uniformly distributed. An output changes at
    // most kHeight * kSlope times as fast as its sum.
    const double deviation = 0x1p-24 * std::sqrt(squares_ / 3);
    outputs.rounding = std::max(outputs.rounding, 6 * deviation * double{kHeight} * double{kSlope});
  }

 private:
  double value_;
  double squares_ = 0;  ///< The sum of the partial sums' squares.
};

/// Computes `maps_out` smaller maps from `maps_in` maps of side_in x side_in values.
LayerOutputs convolve(std::span<const float> in, int maps_in, int side_in,
                      std::span<const float> weights, int maps_out) {
  const int side_out = (side_in - kWindow) / kStride + 1;
  const std::size_t weights_of_map = weights.size() / size(maps_out);
  LayerOutputs outputs;
  for (int map = 0; map < maps_out; ++map) {
    const auto map_weights = weights.subspan(size(map) * weights_of_map, weights_of_map);
    for (int neuron = 0; neuron < side_out * side_out; ++neuron) {
      const int top = neuron / side_out * kStride;
      const int left = neuron % side_out * kStride;
      Sum sum(map_weights[0]);
      for (int tap = 0; tap < maps_in * kTaps; ++tap) {
        const int from = tap / kTaps;
        const int row = top + tap % kTaps / kWindow;
        const int column = left + tap % kWindow;
        sum.add(in[size((from * side_in + row) * side_in + column)], map_weights[size(1 + tap)]);
      }
      sum.append_to(outputs);
    }
  }
  return outputs;
}

LayerOutputs connect_all(std::span<const float> in, std::span<const float> weights, int neurons) {
  LayerOutputs outputs;
  for (std::size_t neuron = 0; neuron < size(neurons); ++neuron) {
    Sum sum(weights[neuron]);
    for (std::size_t i = 0; i < in.size(); ++i) {
      sum.add(in[i], weights[(1 + i) * size(neurons) + neuron]);
    }
    sum.append_to(outputs);
  }
  return outputs;
}

}  // namespace

LayerOutputs first_maps_of(const Weights& weights, std::span<const float> image) {
  return convolve(image, 1, kImageSide, weights.first, kFirstMaps);
}
LayerOutputs second_maps_of(const Weights& weights, std::span<const float> first) {
  return convolve(first, kFirstMaps, kFirstSide, weights.second, kSecondMaps);
}
LayerOutputs hidden_layer_of(const Weights& weights, std::span<const float> second) {
  return connect_all(second, weights.hidden, kHidden);
}
LayerOutputs output_layer_of(const Weights& weights, std::span<const float> hidden) {
  return connect_all(hidden, weights.output, kDigits);
}

}  // namespace heddle::workload::network
