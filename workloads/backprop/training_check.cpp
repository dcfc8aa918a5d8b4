#include "training_check.h"

#include <cstddef>

#include "kernel.h"

namespace heddle::workload {
namespace {

using namespace backprop;

struct Comparison {
  std::vector<double> got, want;

  void add(double got_value, double want_value) {
    got.push_back(got_value);
    want.push_back(want_value);
  }
};

double error_of(const std::vector<double>& sums, const std::vector<double>& output_weights,
                double target) {
  double output_sum = output_weights[0];
  for (std::size_t j = 0; j < kHidden; ++j) output_sum += output_weights[j + 1] * squash(sums[j]);
  const double miss = target - squash(output_sum);
  return miss * miss / 2;
}

/// The negative derivative of `error` with respect to `variable`, on which it depends. A difference
/// quotient, accurate to about 1e-9, is independent of the program's propagation rule.
template <class Error>
double descent(double& variable, const Error& error) {
  constexpr double kDelta = 1e-4;
  const double middle = variable;
  variable = middle - kDelta;
  const double before = error();
  variable = middle + kDelta;
  const double after = error();
  variable = middle;
  return (before - after) / (2 * kDelta);
}

/// Compares the contribution of each tile of the input layer to each hidden unit, as shares of the
/// terms' magnitudes. Returns the units' total sums.
std::vector<double> compare_sums(const TrainingStep& step, Comparison& partial_sums) {
  const std::vector<float>& weights = step.before.weights;
  std::vector<double> sums(&weights[1], &weights[1] + kHidden);
  auto got = step.partial_sums.begin();
  for (std::size_t begin = 1; begin < step.sample->input.size(); begin += kTile) {
    for (std::size_t j = 0; j < kHidden; ++j) {
      double sum = 0, scale = 0;
      for (std::size_t i = begin; i < begin + kTile; ++i) {
        const double product = static_cast<double>(step.sample->input[i]) *
                               static_cast<double>(weights[i * kPitch + j + 1]);
        sum += product;
        scale += std::abs(product);
      }
      sums[j] += sum;
      partial_sums.add(static_cast<double>(*got++) / scale, sum / scale);
    }
  }
  return sums;
}

/// Compares the deltas that the host propagated and the output unit's adjusted weights.
void compare_output_unit(const TrainingStep& step, std::vector<double> sums, Comparison& results) {
  std::vector<double> weights = step.before.output_weights;
  const auto error = [&] { return error_of(sums, weights, step.sample->target); };
  for (std::size_t j = 0; j < kHidden; ++j) {
    results.add(static_cast<double>(step.deltas[j]), descent(sums[j], error));
  }
  for (std::size_t j = 0; j <= kHidden; ++j) {
    const double change = kOutputRate * descent(weights[j], error) +
                          static_cast<double>(kMomentum) * step.before.output_changes[j];
    results.add(step.after.output_weights[j], weights[j] + change);
  }
}

/// Compares changes and weights, as shares of the magnitudes of their terms. Column 0 must be
/// unchanged.
void compare_weights(const TrainingStep& step, Comparison& changes, Comparison& weights) {
  const Network& before = step.before;
  for (std::size_t i = 0; i < step.sample->input.size(); ++i) {
    for (std::size_t j = 0; j < kPitch; ++j) {
      const std::size_t cell = i * kPitch + j;
      const double delta = j == 0 ? 0 : static_cast<double>(step.deltas[j - 1]);
      const double gradient_change =
          static_cast<double>(before.rate) * delta * static_cast<double>(step.sample->input[i]);
      const double momentum_change =
          static_cast<double>(kMomentum) * static_cast<double>(before.changes[cell]);
      const double weight = before.weights[cell];
      constexpr double kNotZero = 1e-30;  // Avoids a division by 0.
      const double scale = std::abs(gradient_change) + std::abs(momentum_change) + kNotZero;
      changes.add(static_cast<double>(step.after.changes[cell]) / scale,
                  (gradient_change + momentum_change) / scale);
      const double weight_scale = std::abs(weight) + scale;
      weights.add(static_cast<double>(step.after.weights[cell]) / weight_scale,
                  (weight + gradient_change + momentum_change) / weight_scale);
    }
  }
}

}  // namespace

CheckResult check_training(const std::vector<TrainingStep>& steps) {
  Comparison partial_sums, output_unit, changes, weights;
  for (const TrainingStep& step : steps) {
    compare_output_unit(step, compare_sums(step, partial_sums), output_unit);
    compare_weights(step, changes, weights);
  }
  CheckResult check;
  check.close("partial sums / their terms", partial_sums.got, partial_sums.want,
              {.absolute = 5 * 0x1p-24, .reason = "a product and four additions, of 2^-24 each"});
  // The tiles' errors are independent, so their sum in the widest layer is below 1e-6.
  check.close("deltas and output weights", output_unit.got, output_unit.want,
              {.absolute = 1e-7,
               .reason = "roundings of the hidden layer's sums, of which less than a tenth "
                         "arrives here"});
  check.close("changes / their terms", changes.got, changes.want,
              {.absolute = 4 * 0x1p-24, .reason = "three products and a sum, of 2^-24 each"});
  check.close("weights / their terms", weights.got, weights.want,
              {.absolute = 5 * 0x1p-24, .reason = "the change's four roundings of 2^-24, and one"});
  return check;
}

}  // namespace heddle::workload
