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

/// How fast `error` falls where `variable`, which it depends on, grows: by a difference, which
/// shares nothing with the rule by which the program propagates. Good to about 1e-9.
template <class Error>
double descent(double& variable, const Error& error) {
  constexpr double kApart = 1e-4;
  const double middle = variable;
  variable = middle - kApart;
  const double before = error();
  variable = middle + kApart;
  const double after = error();
  variable = middle;
  return (before - after) / (2 * kApart);
}

/// What each tile of the input layer adds to each hidden unit, as shares of the terms' sizes.
/// Returns the units' whole sums.
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

/// What the host propagated back, and how it adjusted the output unit's weights.
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

/// Both as shares of the sizes of what is added. Column 0 stays as it was.
void compare_weights(const TrainingStep& step, Comparison& changes, Comparison& weights) {
  const Network& before = step.before;
  for (std::size_t i = 0; i < step.sample->input.size(); ++i) {
    for (std::size_t j = 0; j < kPitch; ++j) {
      const std::size_t cell = i * kPitch + j;
      const double delta = j == 0 ? 0 : static_cast<double>(step.deltas[j - 1]);
      const double down =
          static_cast<double>(before.rate) * delta * static_cast<double>(step.sample->input[i]);
      const double again =
          static_cast<double>(kMomentum) * static_cast<double>(before.changes[cell]);
      const double weight = before.weights[cell];
      constexpr double kNotZero = 1e-30;
      const double scale = std::abs(down) + std::abs(again) + kNotZero;
      changes.add(static_cast<double>(step.after.changes[cell]) / scale, (down + again) / scale);
      const double weight_scale = std::abs(weight) + scale;
      weights.add(static_cast<double>(step.after.weights[cell]) / weight_scale,
                  (weight + down + again) / weight_scale);
    }
  }
}

}  // namespace

Verdict check_training(const std::vector<TrainingStep>& steps) {
  Comparison partial_sums, output_unit, changes, weights;
  for (const TrainingStep& step : steps) {
    compare_output_unit(step, compare_sums(step, partial_sums), output_unit);
    compare_weights(step, changes, weights);
  }
  Verdict verdict;
  verdict.close("partial sums / their terms", partial_sums.got, partial_sums.want,
                {.absolute = 5 * 0x1p-24, .reason = "a product and four additions, of 2^-24 each"});
  // The tiles' errors are independent, and so, in what the widest layer adds up to, below 1e-6.
  verdict.close("deltas and output weights", output_unit.got, output_unit.want,
                {.absolute = 1e-7,
                 .reason = "roundings of the hidden layer's sums, of which less than a tenth "
                           "arrives here"});
  verdict.close("changes / their terms", changes.got, changes.want,
                {.absolute = 4 * 0x1p-24, .reason = "three products and a sum, of 2^-24 each"});
  verdict.close(
      "weights / their terms", weights.got, weights.want,
      {.absolute = 5 * 0x1p-24, .reason = "the change's four roundings of 2^-24, and one"});
  return verdict;
}

}  // namespace heddle::workload
