// Trains the network without iterations. The first convolution detects edges, the second one random
// patterns of edges. A hidden neuron distinguishes two samples that were drawn at random. The last
// layer is a least-squares fit, which is solved directly.

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "digits.h"
#include "network.h"
#include "workload/random.h"

namespace heddle::workload::network {
namespace {

using namespace neural_network;

constexpr std::uint64_t kSeed = 29;
constexpr std::size_t kSamples = 500;
/// Added to the diagonal of the least-squares system. It keeps weights small that the samples
/// determine poorly.
constexpr double kRidge = 0.5;

constexpr std::size_t size(int value) { return static_cast<std::size_t>(value); }

std::vector<float> single(const std::vector<double>& values) {
  std::vector<float> result;
  for (const double value : values) result.push_back(static_cast<float>(value));
  return result;
}

/// Filters for edges in four directions, for dots, and for ink.
std::vector<float> first_weights() {
  std::vector<float> weights;
  for (int map = 0; map < kFirstMaps; ++map) {
    weights.push_back(map == 5 ? -0.5f : 0.0f);
    for (int tap = 0; tap < kTaps; ++tap) {
      const double x = tap % kWindow - 2, y = tap / kWindow - 2;
      const double near = 1 / (1 + 0.5 * (x * x + y * y));
      const std::array<double, kFirstMaps> shapes{
          0.5 * x * near,       0.5 * y * near, 0.4 * (x + y) * near,
          0.4 * (x - y) * near, near - 0.344,   0.15 * near * (1 + near),
      };
      weights.push_back(static_cast<float>(shapes[size(map)]));
    }
  }
  return weights;
}

std::vector<float> second_weights(Random& random) {
  std::vector<float> weights;
  for (int i = 0; i < kSecondMaps * kSecondWeights; ++i) {
    weights.push_back(static_cast<float>(0.14 * random.normal()));
  }
  return weights;
}

struct Sample {
  std::size_t digit;
  std::vector<float> values;
};

std::vector<Sample> draw_samples(Random& random) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const std::size_t digit = i % kDigits;
    samples.push_back({digit, draw_digit(static_cast<int>(digit), random)});
  }
  return samples;
}

/// Each neuron's sum is 1.5 for one sample and -1.5 for a sample of another digit, computed from
/// their difference.
std::vector<float> hidden_weights(const std::vector<Sample>& samples, Random& random) {
  std::vector<float> weights(kHiddenWeights);
  for (std::size_t neuron = 0; neuron < kHidden; ++neuron) {
    const Sample* one = nullptr;
    const Sample* other = nullptr;
    do {
      one = &samples[random.below(kSamples)];
      other = &samples[random.below(kSamples)];
    } while (one->digit == other->digit);
    double difference = 0, middle = 0;
    for (std::size_t i = 0; i < kSecond; ++i) {
      const double apart = double{one->values[i]} - double{other->values[i]};
      difference += apart * apart;
      middle += apart * (double{one->values[i]} + double{other->values[i]}) / 2;
    }
    weights[neuron] = static_cast<float>(-3 * middle / difference);
    for (std::size_t i = 0; i < kSecond; ++i) {
      const double apart = double{one->values[i]} - double{other->values[i]};
      weights[(1 + i) * kHidden + neuron] = static_cast<float>(3 * apart / difference);
    }
  }
  return weights;
}

using Row = std::array<double, kHidden + 1 + kDigits>;

/// Solves the symmetric, positive definite system whose right-hand sides are the last kDigits
/// columns, and stores the solutions there.
void solve(std::vector<Row>& rows) {
  for (std::size_t pivot = 0; pivot < rows.size(); ++pivot) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (row == pivot) continue;
      const double factor = rows[row][pivot] / rows[pivot][pivot];
      for (std::size_t i = pivot; i < rows[row].size(); ++i) {
        rows[row][i] -= factor * rows[pivot][i];
      }
    }
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t i = rows.size(); i < rows[row].size(); ++i) rows[row][i] /= rows[row][row];
  }
}

/// The weights whose sums are nearest to 1 for the right digit and -1 for all others.
std::vector<float> output_weights(const std::vector<Sample>& samples) {
  std::vector<Row> rows(kHidden + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].fill(0);
    rows[i][i] = kRidge;
  }
  for (const Sample& sample : samples) {
    Row values{1};
    for (std::size_t i = 0; i < kHidden; ++i) values[1 + i] = sample.values[i];
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
      values[rows.size() + digit] = digit == sample.digit ? 1 : -1;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) rows[i][j] += values[i] * values[j];
    }
  }
  solve(rows);
  std::vector<float> weights;
  for (const Row& row : rows) {
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
      weights.push_back(static_cast<float>(row[rows.size() + digit]));
    }
  }
  return weights;
}

Weights learn() {
  Random random(kSeed);
  Weights weights;
  weights.first = first_weights();
  weights.second = second_weights(random);
  std::vector<Sample> samples = draw_samples(random);
  for (Sample& sample : samples) {
    const std::vector<float> first = single(first_maps_of(weights, sample.values).values);
    sample.values = single(second_maps_of(weights, first).values);
  }
  weights.hidden = hidden_weights(samples, random);
  for (Sample& sample : samples) {
    sample.values = single(hidden_layer_of(weights, sample.values).values);
  }
  weights.output = output_weights(samples);
  return weights;
}

}  // namespace

const Weights& trained_weights() {
  static const Weights weights = learn();
  return weights;
}

}  // namespace heddle::workload::network
