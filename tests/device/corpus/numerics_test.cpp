// Kernels of finance, particles, transforms, networks and differential equations.

#include <algorithm>
#include <array>
#include <complex>
#include <numbers>

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

/// The cumulative distribution function of the standard normal distribution.
double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

TEST(CorpusNumerics, BlackScholesPricesAgreeWithTheErrorFunction) {
  constexpr int kCount = 300;
  constexpr double kRate = 0.02, kVolatility = 0.3;
  Random random(80);
  const auto price = random.singles(kCount, 5, 30), strike = random.singles(kCount, 1, 100);
  const auto years = random.singles(kCount, 0.25, 10);
  Program program("kernels/black_scholes");
  const auto call = program.zeros<float>(kCount), put = program.zeros<float>(kCount);
  const auto fast = program.zeros<float>(kCount);
  const auto s = program.upload(price), x = program.upload(strike), t = program.upload(years);
  program.launch("black_scholes", {{3}, {128}}, call, put, s, x, t, float(kRate),
                 float(kVolatility), kCount);
  program.launch("black_scholes_fast", {{3}, {128}}, fast, s, x, t, float(kRate),
                 float(kVolatility), kCount);
  std::vector<double> calls, puts;
  for (int i = 0; i < kCount; ++i) {
    const double root = kVolatility * std::sqrt(double(years[i]));
    const double d1 = (std::log(double(price[i]) / double(strike[i])) +
                       (kRate + kVolatility * kVolatility / 2) * double(years[i])) /
                      root;
    const double discounted = double(strike[i]) * std::exp(-kRate * double(years[i]));
    calls.push_back(price[i] * normal_distribution(d1) -
                    discounted * normal_distribution(d1 - root));
    puts.push_back(calls.back() - price[i] + discounted);
  }
  expect_close(call.download(), calls, 1e-4, 1e-4);
  expect_close(put.download(), puts, 1e-4, 1e-4);
  expect_close(fast.download(), calls, 1e-3, 1e-3);
}

TEST(CorpusNumerics, BinomialPricesApproachTheLattice) {
  constexpr int kOptions = 6, kSteps = 255;
  constexpr double kRate = 0.05, kVolatility = 0.25;
  Random random(81);
  const auto spot = random.singles(kOptions, 80, 120), strike = random.singles(kOptions, 80, 120);
  const auto years = random.singles(kOptions, 0.5, 2);
  Program program("kernels/finance");
  const auto price = program.zeros<float>(kOptions);
  program.launch("binomial_option", {{kOptions}, {kSteps + 1}}, program.upload(spot),
                 program.upload(strike), program.upload(years), float(kRate), float(kVolatility),
                 price);
  std::vector<double> expected;
  for (int option = 0; option < kOptions; ++option) {
    const double dt = double(years[option]) / kSteps;
    const double up = std::exp(kVolatility * std::sqrt(dt));
    const double p = (std::exp(kRate * dt) - 1 / up) / (up - 1 / up);
    std::vector<double> value(kSteps + 1);
    for (int i = 0; i <= kSteps; ++i)
      value[i] = std::max(
          double(spot[option]) * std::pow(up, 2 * i - kSteps) - double(strike[option]), 0.0);
    for (int step = kSteps; step > 0; --step)
      for (int i = 0; i < step; ++i)
        value[i] = std::exp(-kRate * dt) * (p * value[i + 1] + (1 - p) * value[i]);
    expected.push_back(value[0]);
  }
  expect_close(price.download(), expected, 1e-3, 1e-3);
}

TEST(CorpusNumerics, LiborPathsEvolveForwardRates) {
  constexpr int kPaths = 100, kForwards = 20, kMaturity = 10;
  constexpr double kDelta = 0.25, kStart = 0.04;
  Random random(82);
  const auto normals = random.singles(kPaths * kMaturity, -2, 2);
  const auto volatility = random.singles(kForwards, 0.1, 0.3);
  Program program("kernels/finance");
  program.set_symbol("libor_volatility", volatility);
  const auto values = program.zeros<float>(kPaths);
  program.launch("libor_path", {{2}, {64}}, program.upload(normals), values, kPaths, float(kDelta),
                 float(kStart));
  std::vector<double> expected;
  for (int path = 0; path < kPaths; ++path) {
    std::vector<double> rate(kForwards, kStart);
    for (int step = 0; step < kMaturity; ++step) {
      double drift = 0;
      for (int i = step + 1; i < kForwards; ++i) {
        const double v = volatility[i - step - 1];
        drift += kDelta * v * rate[i] / (1 + kDelta * rate[i]);
        const double shock = std::sqrt(kDelta) * double(normals[step * kPaths + path]);
        rate[i] *= std::exp(kDelta * v * (drift / kDelta - v / 2) + v * shock);
      }
    }
    double bond = 1, value = 0;
    for (int i = kMaturity; i < kForwards; ++i) {
      bond /= 1 + kDelta * rate[i];
      value += kDelta * bond * (0.05 - rate[i]);
    }
    expected.push_back(std::max(100 * value, 0.0));
  }
  expect_close(values.download(), expected, 1e-4, 1e-3);
}

TEST(CorpusNumerics, BodiesAttractEachOther) {
  constexpr int kBodies = 128, kBlock = 64;
  constexpr double kSoftening = 0.01, kStep = 0.05;
  Random random(83);
  const auto positions = random.singles(4 * kBodies, 0.1, 1);
  const auto velocities = random.singles(4 * kBodies, -1, 1);
  Program program("kernels/nbody");
  const auto next = program.zeros<float>(4 * kBodies),
             device_velocities = program.upload(velocities);
  program.launch("nbody_step", {{kBodies / kBlock}, {kBlock}, kBlock * 16},
                 program.upload(positions), next, device_velocities, float(kSoftening),
                 float(kStep), kBodies / kBlock);
  std::vector<double> expected, expected_velocities;
  for (int i = 0; i < kBodies; ++i) {
    double pull[3] = {};
    for (int j = 0; j < kBodies; ++j) {
      double squared = kSoftening;
      for (int c = 0; c < 3; ++c)
        squared += std::pow(double(positions[4 * j + c]) - double(positions[4 * i + c]), 2);
      for (int c = 0; c < 3; ++c)
        pull[c] += (double(positions[4 * j + c]) - double(positions[4 * i + c])) *
                   double(positions[4 * j + 3]) * std::pow(squared, -1.5);
    }
    for (int c = 0; c < 3; ++c) {
      expected_velocities.push_back(double(velocities[4 * i + c]) + pull[c] * kStep);
      expected.push_back(double(positions[4 * i + c]) + expected_velocities.back() * kStep);
    }
    expected.push_back(positions[4 * i + 3]);
    expected_velocities.push_back(velocities[4 * i + 3]);
  }
  expect_close(device_velocities.download(), expected_velocities, 1e-4, 1e-3);
  expect_close(next.download(), expected, 1e-4, 1e-4);
}

TEST(CorpusNumerics, BoxForcesComeFromNeighbouringBoxes) {
  constexpr int kBoxes = 5, kPerBox = 32;
  constexpr double kAlpha = 0.5;
  Random random(84);
  const auto particles = random.reals(4 * kBoxes * kPerBox, 0.1, 1);
  std::vector<int> counts, neighbours(26 * kBoxes);
  for (int box = 0; box < kBoxes; ++box) {
    counts.push_back(box % 4);
    for (int k = 0; k < counts[box]; ++k) neighbours[26 * box + k] = (box + k + 1) % kBoxes;
  }
  Program program("kernels/particles");
  const auto forces = program.zeros<double>(4 * kBoxes * kPerBox);
  program.launch("box_forces", {{kBoxes}, {kPerBox}}, program.upload(particles),
                 program.upload(neighbours), program.upload(counts), forces, kAlpha);
  std::vector<double> expected(4 * kBoxes * kPerBox);
  for (int i = 0; i < kBoxes * kPerBox; ++i)
    for (int j = 0; j < kBoxes * kPerBox; ++j) {
      const int box = i / kPerBox, distance = (j / kPerBox - box + kBoxes) % kBoxes;
      if (distance > counts[box]) continue;
      double squared = 0;
      for (int c = 1; c < 4; ++c)
        squared += std::pow(particles[4 * i + c] - particles[4 * j + c], 2);
      const double weight = particles[4 * j] * std::exp(-2 * kAlpha * kAlpha * squared);
      for (int c = 0; c < 3; ++c)
        expected[4 * i + c] += 2 * weight * (particles[4 * i + c + 1] - particles[4 * j + c + 1]);
      expected[4 * i + 3] += weight;
    }
  expect_close(forces.download(), expected, 1e-12, 1e-12);
}

TEST(CorpusNumerics, ResonanceAndCoulombSumsOverConstantSamples) {
  constexpr int kSamples = 50, kVoxels = 90;
  Random random(85);
  Program program("kernels/particles");
  const auto samples = random.singles(4 * kSamples, -2, 2);
  program.set_symbol("mri_samples", samples);
  const auto x = random.singles(kVoxels, -1, 1), y = random.singles(kVoxels, -1, 1);
  const auto z = random.singles(kVoxels, -1, 1);
  const auto real = program.zeros<float>(kVoxels), imaginary = program.zeros<float>(kVoxels);
  program.launch("mri_q", {{3}, {32}}, program.upload(x), program.upload(y), program.upload(z),
                 real, imaginary, kSamples, kVoxels);
  std::vector<double> reals(kVoxels), imaginaries(kVoxels);
  for (int i = 0; i < kVoxels; ++i)
    for (int k = 0; k < kSamples; ++k) {
      const double angle =
          2 * std::numbers::pi *
          (double(samples[4 * k]) * double(x[i]) + double(samples[4 * k + 1]) * double(y[i]) +
           double(samples[4 * k + 2]) * double(z[i]));
      reals[i] += double(samples[4 * k + 3]) * std::cos(angle);
      imaginaries[i] += double(samples[4 * k + 3]) * std::sin(angle);
    }
  expect_close(real.download(), reals, 1e-5, 2e-4);
  expect_close(imaginary.download(), imaginaries, 1e-5, 2e-4);

  constexpr int kWidth = 128, kHeight = 8;
  constexpr double kSpacing = 0.1;
  auto atoms = samples;
  for (int i = 0; i < kSamples; ++i) atoms[4 * i + 2] = std::fabs(atoms[4 * i + 2]) + 0.5f;
  program.set_symbol("coulomb_atoms", atoms);
  const auto before = random.singles(kWidth * kHeight, 0, 1);
  const auto energy = program.upload(before);
  program.launch("coulomb_plane", {{2, 2}, {16, 4}}, energy, kSamples, float(kSpacing), kWidth);
  std::vector<double> expected(before.begin(), before.end());
  for (int at = 0; at < kWidth * kHeight; ++at)
    for (int i = 0; i < kSamples; ++i) {
      const double dx = at % kWidth * kSpacing - double(atoms[4 * i]);
      const double dy = at / kWidth * kSpacing - double(atoms[4 * i + 1]);
      expected[at] +=
          double(atoms[4 * i + 3]) / std::sqrt(dx * dx + dy * dy + double(atoms[4 * i + 2]));
    }
  expect_close(energy.download(), expected, 1e-4, 1e-3);
}

using Complex = std::complex<double>;

/// The discrete Fourier transform, by its definition.
std::vector<Complex> fourier(const std::vector<Complex>& input) {
  const int n = static_cast<int>(input.size());
  std::vector<Complex> output(input.size());
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      output[k] += input[i] * std::polar(1.0, -2 * std::numbers::pi * (k * i % n) / n);
  return output;
}

TEST(CorpusNumerics, FourierTransformsAgreeWithTheDefinition) {
  constexpr int kLog = 7, kSize = 1 << kLog, kLines = 2, kCount = 40;
  Random random(86);
  Program program("kernels/fft");
  const auto input = random.singles(2 * kSize * kLines, -1, 1);
  const auto output = program.zeros<float>(input.size());
  program.launch("fft_radix2", {{kLines}, {32}, kSize * 8}, program.upload(input), output, kLog);
  std::vector<double> expected;
  for (int line = 0; line < kLines; ++line) {
    std::vector<Complex> values;
    for (int i = 0; i < kSize; ++i)
      values.emplace_back(input[2 * (line * kSize + i)], input[2 * (line * kSize + i) + 1]);
    for (const Complex& value : fourier(values))
      expected.insert(expected.end(), {value.real(), value.imag()});
  }
  expect_close(output.download(), expected, 1e-5, 2e-5);

  const auto wide = random.reals(2 * 8 * kCount, -1, 1);
  const auto wide_output = program.zeros<double>(wide.size());
  program.launch("fft_radix8", {{2}, {32}}, program.upload(wide), wide_output, kCount);
  std::vector<double> wide_expected(wide.size());
  for (int i = 0; i < kCount; ++i) {
    std::vector<Complex> values;
    for (int k = 0; k < 8; ++k)
      values.emplace_back(wide[2 * (k * kCount + i)], wide[2 * (k * kCount + i) + 1]);
    values = fourier(values);
    for (int k = 0; k < 8; ++k) {
      wide_expected[2 * (k * kCount + i)] = values[k].real();
      wide_expected[2 * (k * kCount + i) + 1] = values[k].imag();
    }
  }
  expect_close(wide_output.download(), wide_expected, 1e-13, 1e-13);
}

TEST(CorpusNumerics, WalshAndHaarTransformsAgreeWithTheirMatrices) {
  Random random(87);
  for (const int log : {6, 7}) {
    const int size = 1 << log;
    Program program("kernels/transforms");
    const auto input = random.singles(2 * size, -1, 1);
    const auto output = program.zeros<float>(input.size());
    program.launch(
        "fast_walsh",
        {{2}, {static_cast<std::uint32_t>(size / 4)}, static_cast<std::uint32_t>(size * 4)},
        program.upload(input), output, log);
    std::vector<double> expected(input.size());
    for (int i = 0; i < 2 * size; ++i)
      for (int k = 0; k < size; ++k) {
        const bool minus = std::popcount(static_cast<unsigned>(i % size & k)) % 2;
        expected[i] += (minus ? -1.0 : 1.0) * double(input[i / size * size + k]);
      }
    expect_close(output.download(), expected, 1e-5, 1e-5);
  }

  constexpr int kSamples = 64, kLevels = 4;
  Program program("kernels/transforms");
  const auto signal = random.singles(2 * kSamples, -1, 1);
  const auto coefficients = program.zeros<float>(signal.size());
  program.launch("haar_dwt", {{2}, {kSamples / 2}, kSamples * 4}, program.upload(signal),
                 coefficients, kLevels);
  std::vector<double> expected(signal.begin(), signal.end());
  for (int line = 0; line < 2; ++line)
    for (int level = 0, length = kSamples; level < kLevels; ++level, length /= 2) {
      const std::vector<double> old(&expected[line * kSamples],
                                    &expected[line * kSamples] + length);
      for (int i = 0; i < length / 2; ++i) {
        expected[line * kSamples + i] = (old[2 * i] + old[2 * i + 1]) / std::numbers::sqrt2;
        expected[line * kSamples + length / 2 + i] =
            (old[2 * i] - old[2 * i + 1]) / std::numbers::sqrt2;
      }
    }
  expect_close(coefficients.download(), expected, 1e-5, 1e-5);
}

TEST(CorpusNumerics, NetworkLayersRunForwardAndLearn) {
  constexpr int kInputs = 48, kHidden = 16;
  Random random(88);
  Program program("kernels/neural");
  const auto input = random.singles(kInputs, -1, 1);
  const auto weights = random.singles(kInputs * kHidden, -1, 1);
  const auto sums = program.zeros<float>(kInputs / 16 * kHidden);
  const auto device_weights = program.upload(weights), layer = program.upload(input);
  program.launch("layer_forward", {{kInputs / 16}, {16, 16}}, layer, device_weights, sums, kHidden);
  std::vector<double> expected(kInputs / 16 * kHidden);
  for (int row = 0; row < kInputs; ++row)
    for (int column = 0; column < kHidden; ++column)
      expected[row / 16 * kHidden + column] +=
          double(input[row]) * double(weights[row * kHidden + column]);
  expect_close(sums.download(), expected, 1e-5, 1e-5);

  const auto delta = random.singles(kHidden, -1, 1), old = random.singles(kInputs * kHidden, -1, 1);
  const auto changes = program.upload(old);
  program.launch("adjust_weights", {{kInputs / 16}, {16, 16}}, program.upload(delta), layer,
                 device_weights, changes, kHidden, 0.5f, 0.25f);
  std::vector<double> expected_changes, expected_weights;
  for (int i = 0; i < kInputs * kHidden; ++i) {
    expected_changes.push_back(0.5 * double(delta[i % kHidden]) * double(input[i / kHidden]) +
                               0.25 * double(old[i]));
    expected_weights.push_back(double(weights[i]) + expected_changes.back());
  }
  expect_close(changes.download(), expected_changes, 1e-6, 1e-6);
  expect_close(device_weights.download(), expected_weights, 1e-6, 1e-6);
}

TEST(CorpusNumerics, ConvolutionLayerSumsOverChannels) {
  constexpr int kChannels = 3, kHeight = 11, kWidth = 14, kOutputs = 16;
  Random random(89);
  Program program("kernels/neural");
  const auto input = random.singles(kChannels * kHeight * kWidth, -1, 1);
  const auto filters = random.singles(kOutputs * kChannels * 9, -1, 1);
  const auto bias = random.singles(kOutputs, -1, 1);
  const auto output = program.zeros<float>(kOutputs * (kHeight - 2) * (kWidth - 2));
  program.launch("convolution_layer", {{2, 3, kOutputs / 8}, {8, 4}}, program.upload(input),
                 program.upload(filters), program.upload(bias), output, kChannels, kHeight, kWidth);
  std::vector<double> expected;
  for (int o = 0; o < kOutputs; ++o)
    for (int y = 0; y < kHeight - 2; ++y)
      for (int x = 0; x < kWidth - 2; ++x) {
        double sum = bias[o];
        for (int c = 0; c < kChannels; ++c)
          for (int i = 0; i < 9; ++i)
            sum += double(filters[(o * kChannels + c) * 9 + i]) *
                   double(input[(c * kHeight + y + i / 3) * kWidth + x + i % 3]);
        expected.push_back(std::max(sum, 0.0));
      }
  expect_close(output.download(), expected, 1e-5, 1e-5);
}

using State = std::array<double, 8>;

/// The derivative of the state, as the kernel computes it.
State rates(const State& y, double stimulus) {
  const double open = 1 / (1 + y[0] * y[0]);
  return {stimulus - y[0] * (y[1] + 0.5),
          0.3 * y[0] - 0.3 * y[1] * y[2],
          0.2 * y[1] - 0.2 * y[2] + 0.1 * y[3] * open,
          0.7 * open - 0.4 * y[3] * y[4],
          0.25 * y[3] + 0.25 * y[5] - 0.5 * y[4],
          0.6 * y[4] / (1 + y[6]) - 0.3 * y[5],
          0.15 * y[5] * y[7] - 0.15 * y[6],
          0.35 * y[6] + 0.35 * y[0] - 0.35 * y[7]};
}

TEST(CorpusNumerics, RungeKuttaFollowsTheSolution) {
  constexpr int kSystems = 40, kSteps = 10;
  constexpr double kStep = 0.05;
  Random random(90);
  Program program("kernels/integration");
  const auto start = random.reals(8 * kSystems, 0, 1), stimuli = random.reals(kSystems, 0, 2);
  const auto states = program.upload(start);
  program.launch("runge_kutta", {{2}, {32}}, states, program.upload(stimuli), kSystems, kSteps,
                 kStep);
  std::vector<double> expected(8 * kSystems);
  for (int i = 0; i < kSystems; ++i) {
    State y;
    for (int e = 0; e < 8; ++e) y[e] = start[e * kSystems + i];
    // The reference takes a hundred midpoint steps for each step of the kernel.
    constexpr int kFiner = 100;
    const double h = kStep / kFiner;
    for (int step = 0; step < kSteps * kFiner; ++step) {
      State half = y;
      const State first = rates(y, stimuli[i]);
      for (int e = 0; e < 8; ++e) half[e] += h / 2 * first[e];
      const State middle = rates(half, stimuli[i]);
      for (int e = 0; e < 8; ++e) y[e] += h * middle[e];
    }
    for (int e = 0; e < 8; ++e) expected[e * kSystems + i] = y[e];
  }
  expect_close(states.download(), expected, 1e-6, 1e-6);
}

TEST(CorpusNumerics, EigenvaluesOfTheSecondDifferenceAreKnown) {
  constexpr int kSize = 30;
  Program program("kernels/integration");
  const auto values = program.zeros<float>(kSize);
  program.launch("eigenvalues", {{1}, {32}}, program.upload(std::vector<float>(kSize, 2.0f)),
                 program.upload(std::vector<float>(kSize - 1, -1.0f)), kSize, 0.0f, 4.0f, 1e-5f,
                 values);
  std::vector<double> expected;
  for (int i = 1; i <= kSize; ++i)
    expected.push_back(2 - 2 * std::cos(std::numbers::pi * i / (kSize + 1)));
  expect_close(values.download(), expected, 0, 2e-5);
}

}  // namespace
}  // namespace heddle::corpus
