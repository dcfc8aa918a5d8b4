#pragma once

// Checks steps of training, each starting from the device's weights before it.

#include <cmath>
#include <vector>

#include "workload/check_result.h"

namespace heddle::workload {

/// The learning rate of the output unit.
inline constexpr double kOutputRate = 0.3;

/// The output of a unit, from 0 to 1.
inline double squash(double sum) { return 1 / (1 + std::exp(-sum)); }

struct Network {
  float rate = 0;                                      ///< The learning rate of the hidden layer.
  std::vector<float> weights, changes;                 ///< Between the input and the hidden layer.
  std::vector<double> output_weights, output_changes;  ///< From the hidden layer, its bias first.
};

struct Sample {
  std::vector<float> input;  ///< The bias first.
  double target = 0;         ///< The desired output.
};

/// One step: its input, the network before and after it, and intermediate results.
struct TrainingStep {
  const Sample* sample = nullptr;
  Network before{}, after{};
  std::vector<float> partial_sums{};
  std::vector<float> deltas{};
};

CheckResult check_training(const std::vector<TrainingStep>& steps);

}  // namespace heddle::workload
