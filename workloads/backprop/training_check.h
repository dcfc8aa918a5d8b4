#pragma once

// Whether steps of training are right: each from what the device had before it.

#include <cmath>
#include <vector>

#include "workload/verdict.h"

namespace heddle::workload {

/// How fast the output unit learns.
inline constexpr double kOutputRate = 0.3;

/// What a unit answers with: from 0 to 1.
inline double squash(double sum) { return 1 / (1 + std::exp(-sum)); }

struct Network {
  float rate = 0;                                      ///< How fast the hidden layer learns.
  std::vector<float> weights, changes;                 ///< From the input to the hidden layer.
  std::vector<double> output_weights, output_changes;  ///< Of the hidden layer, its bias first.
};

struct Sample {
  std::vector<float> input;  ///< The bias first.
  double target = 0;         ///< What the output unit should answer.
};

struct TrainingStep {
  const Sample* sample = nullptr;
  Network before{}, after{};
  std::vector<float> partial_sums{};
  std::vector<float> deltas{};
};

Verdict check_training(const std::vector<TrainingStep>& steps);

}  // namespace heddle::workload
