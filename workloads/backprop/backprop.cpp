#include <cmath>
#include <utility>
#include <vector>

#include "kernel.h"
#include "training_check.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::backprop_host {
namespace {

using namespace backprop;

constexpr int kSteps = 2;

/// The number of input units without the bias, a multiple of kTile.
std::size_t inputs_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 30 * kTile;
    case Size::small:
      return 700 * kTile;
    case Size::medium:
      return 4096 * kTile;
    case Size::large:
    case Size::paper:
      break;
  }
  return 30'000 * kTile;
}

class Backprop final : public HostProgram {
 public:
  Backprop(Size size, std::uint64_t seed) : inputs_(inputs_of(size)) {
    Random random(seed);
    // Weights are small enough for hidden units not to saturate, whatever the number of inputs.
    const double most = 1 / std::sqrt(static_cast<double>(inputs_));
    network_.rate = static_cast<float>(10.0 / static_cast<double>(inputs_));
    network_.weights.resize((inputs_ + 1) * kPitch);
    for (float& weight : network_.weights) {
      weight = static_cast<float>(random.uniform(-most, most));
    }
    for (int i = 0; i <= kHidden; ++i) network_.output_weights.push_back(random.uniform(-1, 1));
    for (int i = 0; i < kSteps; ++i) samples_.push_back(random_sample(random, i % 2 == 0));
  }

  void run(Gpu& device) override {
    const LaunchShape shape{.grid = {1, static_cast<std::uint32_t>(inputs_ / kTile)},
                            .block = {kHidden, kTile}};
    const Array<float> input = device.allocate<float>(inputs_ + 1, "input layer");
    const Array<float> weights = device.upload(network_.weights, "weights");
    const Array<float> changes = device.allocate<float>(weights.count, "changes");
    const Array<float> partial_sums =
        device.allocate<float>(inputs_ / kTile * kHidden, "partial sums");
    const Array<float> deltas = device.allocate<float>(kHidden, "deltas of the hidden layer");
    device.fill(changes, 0);

    Network network = network_;
    network.changes.assign(weights.count, 0);
    network.output_changes.assign(kHidden + 1, 0);
    steps_.clear();
    for (const Sample& sample : samples_) {
      TrainingStep step{.sample = &sample, .before = network};
      device.write(input, sample.input);
      device.launch("layer_forward", shape, input, weights, partial_sums);
      step.partial_sums = device.download(partial_sums);
      step.deltas = propagate_back(sample, step.partial_sums, network);
      device.write(deltas, step.deltas);
      device.launch("adjust_weights", shape, input, deltas, network.rate, weights, changes);
      network.weights = device.download(weights);
      network.changes = device.download(changes);
      step.after = network;
      steps_.push_back(std::move(step));
    }
  }

  CheckResult check() const override { return check_training(steps_); }

 private:
  /// Random brightnesses added to a slope. The slope rises along the layer if the target is high
  /// (0.9) and falls if it is low (0.1).
  Sample random_sample(Random& random, bool is_high) const {
    Sample sample{.input = {1}, .target = is_high ? 0.9 : 0.1};
    for (std::size_t i = 0; i < inputs_; ++i) {
      const double along = static_cast<double>(i) / static_cast<double>(inputs_);
      sample.input.push_back(
          static_cast<float>(random.uniform(0, 0.7) + 0.3 * (is_high ? along : 1 - along)));
    }
    return sample;
  }

  /// The host's part of a step: the rest of the hidden layer's sums, the output unit, its error and
  /// its weights. Returns the hidden layer's deltas.
  static std::vector<float> propagate_back(const Sample& sample,
                                           const std::vector<float>& partial_sums,
                                           Network& network) {
    std::vector<double> hidden{1};
    double output_sum = network.output_weights[0];
    for (std::size_t j = 0; j < kHidden; ++j) {
      double sum = network.weights[j + 1];
      for (std::size_t i = j; i < partial_sums.size(); i += kHidden) {
        sum += static_cast<double>(partial_sums[i]);
      }
      hidden.push_back(squash(sum));
      output_sum += network.output_weights[j + 1] * hidden.back();
    }
    const double output = squash(output_sum);
    const double output_delta = output * (1 - output) * (sample.target - output);
    std::vector<float> deltas;
    for (std::size_t j = 0; j <= kHidden; ++j) {
      double& weight = network.output_weights[j];
      double& change = network.output_changes[j];
      if (j > 0) {
        deltas.push_back(static_cast<float>(hidden[j] * (1 - hidden[j]) * weight * output_delta));
      }
      change = kOutputRate * output_delta * hidden[j] + static_cast<double>(kMomentum) * change;
      weight += change;
    }
    return deltas;
  }

  std::size_t inputs_;
  Network network_;
  std::vector<Sample> samples_;
  std::vector<TrainingStep> steps_;
};

const Registration kRegistration({
    .name = "backprop",
    .summary = "Training of a network with a wide input layer by back-propagation",
    .papers = {"storage Table 4.2", "storage Table 4.3", "preexec Table 2", "simt Section 5.5"},
    .kernels = {{"layer_forward", {kHidden, kTile}}, {"adjust_weights", {kHidden, kTile}}},
    .make = make_program<Backprop>,
});

}  // namespace
}  // namespace heddle::workload::backprop_host
