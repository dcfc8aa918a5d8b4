// Kernels that step fields on a grid: stencils, heat, diffusion, fluids, cellular automata.

#include <algorithm>
#include <array>

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

TEST(CorpusGrids, Stencil2dKeepsItsBorder) {
  constexpr int kWidth = 37, kHeight = 21;
  Random random(20);
  Program program("kernels/stencil");
  const auto input = random.singles(kWidth * kHeight, -1, 1);
  const auto output = program.zeros<float>(kWidth * kHeight);
  program.launch("stencil_2d", {{3, 2}, {16, 16}}, program.upload(input), output, kWidth, kHeight,
                 0.5f, 0.125f);
  std::vector<double> expected;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      auto at = [&](int column, int row) {
        return double(
            input[std::clamp(row, 0, kHeight - 1) * kWidth + std::clamp(column, 0, kWidth - 1)]);
      };
      expected.push_back(0.5 * at(x, y) +
                         0.125 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)));
    }
  expect_close(output.download(), expected, 1e-6, 1e-6);
}

TEST(CorpusGrids, Stencil3dReachesFourCellsInEveryDirection) {
  constexpr int kRadius = 4, kX = 32, kY = 16, kZ = 7;
  constexpr int kRow = kX + 2 * kRadius, kSlice = kRow * (kY + 2 * kRadius);
  constexpr int kCells = kSlice * (kZ + 2 * kRadius);
  constexpr double kWeights[] = {0.5, 0.125, -0.0625, 0.03125, -0.015625};
  Random random(21);
  Program program("kernels/stencil");
  const auto input = random.singles(kCells, -1, 1);
  const auto output = program.zeros<float>(kCells);
  program.launch("stencil_3d", {{2, 1}, {16, 16}}, program.upload(input), output, kX, kY, kZ);
  std::vector<double> expected(kCells);
  for (int z = kRadius; z < kZ + kRadius; ++z)
    for (int y = kRadius; y < kY + kRadius; ++y)
      for (int x = kRadius; x < kX + kRadius; ++x) {
        const int at = z * kSlice + y * kRow + x;
        double sum = kWeights[0] * double(input[at]);
        for (int i = 1; i <= kRadius; ++i)
          for (int step : {1, kRow, kSlice})
            sum += kWeights[i] * (double(input[at - i * step]) + double(input[at + i * step]));
        expected[at] = sum;
      }
  expect_close(output.download(), expected, 1e-5, 1e-5);
}

TEST(CorpusGrids, SeparableConvolutionConvolvesRowsAndColumns) {
  constexpr int kWidth = 256, kHeight = 12, kRadius = 8;
  Random random(22);
  Program program("kernels/convolution_separable");
  const auto weights = random.singles(2 * kRadius + 1, -1, 1);
  program.set_symbol("convolution_kernel", weights);
  const auto image = random.singles(kWidth * kHeight, 0, 1);
  const auto source = program.upload(image);
  for (const bool rows : {true, false}) {
    const auto output = program.zeros<float>(kWidth * kHeight);
    if (rows)
      program.launch("convolve_rows", {{2, 3}, {16, 4}}, source, output, kWidth, kWidth);
    else
      program.launch("convolve_columns", {{8, 2}, {32, 8}}, source, output, kWidth, kHeight);
    std::vector<double> expected(kWidth * kHeight);
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        for (int j = -kRadius; j <= kRadius; ++j) {
          const int column = rows ? x + j : x, row = rows ? y : y + j;
          if (column >= 0 && column < kWidth && row >= 0 && row < kHeight)
            expected[y * kWidth + x] +=
                double(weights[kRadius - j]) * double(image[row * kWidth + column]);
        }
    expect_close(output.download(), expected, 1e-5, 1e-5);
  }
}

TEST(CorpusGrids, HotspotTakesTwoStepsInOneLaunch) {
  constexpr int kColumns = 40, kRows = 30, kSteps = 2, kSmall = 16 - 2 * kSteps;
  constexpr float kCapacity = 0.5f, kRx = 0.2f, kRy = 0.3f, kRz = 0.05f, kStep = 0.25f;
  Random random(23);
  Program program("kernels/hotspot");
  const auto power = random.singles(kColumns * kRows, 0, 1);
  const auto source = random.singles(kColumns * kRows, 320, 340);
  const auto destination = program.zeros<float>(kColumns * kRows);
  program.launch("hotspot", {{blocks_for(kColumns, kSmall), blocks_for(kRows, kSmall)}, {16, 16}},
                 kSteps, program.upload(power), program.upload(source), destination, kColumns,
                 kRows, kSteps, kCapacity, kRx, kRy, kRz, kStep);
  std::vector<double> now(source.begin(), source.end());
  for (int step = 0; step < kSteps; ++step) {
    const auto old = now;
    for (int y = 0; y < kRows; ++y)
      for (int x = 0; x < kColumns; ++x) {
        auto at = [&](int column, int row) {
          return old[std::clamp(row, 0, kRows - 1) * kColumns +
                     std::clamp(column, 0, kColumns - 1)];
        };
        const double here = at(x, y);
        now[y * kColumns + x] = here + double(kStep) * double(kCapacity) *
                                           (double(power[y * kColumns + x]) +
                                            (at(x, y + 1) + at(x, y - 1) - 2 * here) * double(kRy) +
                                            (at(x + 1, y) + at(x - 1, y) - 2 * here) * double(kRx) +
                                            (80.0 - here) * double(kRz));
      }
  }
  expect_close(destination.download(), now, 1e-5);
}

TEST(CorpusGrids, SradSmoothsWithItsCoefficients) {
  constexpr int kRows = 18, kColumns = 25, kCells = kRows * kColumns;
  constexpr float kQ0 = 0.05f, kLambda = 0.5f;
  Random random(24);
  Program program("kernels/srad");
  const auto input = random.singles(kCells, 1, 2);
  const auto image = program.upload(input);
  const auto north = program.zeros<float>(kCells), south = program.zeros<float>(kCells);
  const auto west = program.zeros<float>(kCells), east = program.zeros<float>(kCells);
  const auto coefficient = program.zeros<float>(kCells);
  program.launch("srad_coefficient", {{8}, {64}}, image, north, south, west, east, coefficient,
                 kRows, kColumns, kQ0);
  program.launch("srad_update", {{8}, {64}}, image, north, south, west, east, coefficient, kRows,
                 kColumns, kLambda);
  auto at = [&](int y, int x) {
    return double(input[std::clamp(y, 0, kRows - 1) * kColumns + std::clamp(x, 0, kColumns - 1)]);
  };
  std::vector<double> c(kCells), expected(kCells);
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x) {
      const double here = at(y, x);
      double squares = 0, sum = 0;
      for (double beside : {at(y - 1, x), at(y + 1, x), at(y, x - 1), at(y, x + 1)}) {
        squares += (beside - here) * (beside - here) / (here * here);
        sum += (beside - here) / here;
      }
      const double q = (squares / 2 - sum * sum / 16) / ((1 + sum / 4) * (1 + sum / 4));
      const double q0 = double(kQ0);
      c[y * kColumns + x] = std::clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0, 1.0);
    }
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x) {
      const double here = at(y, x), centre = c[y * kColumns + x];
      const double below = c[std::min(y + 1, kRows - 1) * kColumns + x];
      const double right = c[y * kColumns + std::min(x + 1, kColumns - 1)];
      expected[y * kColumns + x] =
          here + 0.25 * double(kLambda) *
                     (centre * (at(y - 1, x) - here) + below * (at(y + 1, x) - here) +
                      centre * (at(y, x - 1) - here) + right * (at(y, x + 1) - here));
    }
  expect_close(coefficient.download(), c, 1e-4, 1e-5);
  expect_close(image.download(), expected, 1e-5);
}

TEST(CorpusGrids, LatticeBoltzmannConservesAndAgreesWithAStepByHand) {
  constexpr int kX = 33, kY = 5, kZ = 4, kCells = kX * kY * kZ, kDirections = 19;
  constexpr float kOmega = 1.2f;
  std::vector<std::array<int, 3>> lattice = {{0, 0, 0}};
  for (int axis = 0; axis < 3; ++axis)
    for (int sign : {1, -1}) {
      lattice.push_back({0, 0, 0});
      lattice.back()[axis] = sign;
    }
  // The directions have the kernel's order. In each plane, the sign on the lower axis changes
  // first.
  for (const auto& [first, second] : {std::pair{0, 1}, {0, 2}, {1, 2}})
    for (int upper : {1, -1})
      for (int lower : {1, -1}) {
        lattice.push_back({0, 0, 0});
        lattice.back()[first] = lower;
        lattice.back()[second] = upper;
      }
  auto index_of = [&](int x, int y, int z) {
    return static_cast<int>(std::find(lattice.begin(), lattice.end(), std::array{x, y, z}) -
                            lattice.begin());
  };
  Random random(25);
  Program program("kernels/lbm");
  std::vector<float> source(kCells * kDirections);
  std::vector<std::uint8_t> obstacle(kCells);
  for (int cell = 0; cell < kCells; ++cell) {
    obstacle[cell] = random.below(8) == 0;
    for (int d = 0; d < kDirections; ++d)
      source[d * kCells + cell] = random.single(0.02, 0.06) * (d == 0 ? 6.0f : 1.0f);
  }
  const auto destination = program.zeros<float>(source.size());
  program.launch("lbm_step", {{2, kY, kZ}, {32}}, program.upload(source), destination,
                 program.upload(obstacle), kX, kY, kZ, kOmega);

  std::vector<double> expected(source.size());
  for (int z = 0; z < kZ; ++z)
    for (int y = 0; y < kY; ++y)
      for (int x = 0; x < kX; ++x) {
        const int cell = (z * kY + y) * kX + x;
        double density = 0, flow[3] = {};
        for (int d = 0; d < kDirections; ++d) {
          const double f = source[d * kCells + cell];
          density += f;
          for (int axis = 0; axis < 3; ++axis) flow[axis] += lattice[d][axis] * f;
        }
        double squared = 0;
        for (double& component : flow) {
          component /= density;
          squared += component * component;
        }
        for (int d = 0; d < kDirections; ++d) {
          const auto& c = lattice[d];
          const double along = c[0] * flow[0] + c[1] * flow[1] + c[2] * flow[2];
          const int length = std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]);
          const double weight = length == 0 ? 1.0 / 3 : length == 1 ? 1.0 / 18 : 1.0 / 36;
          const double equilibrium =
              weight * density * (1 + 3 * along + 4.5 * along * along - 1.5 * squared);
          double value = source[d * kCells + cell];
          value += double(kOmega) * (equilibrium - value);
          if (obstacle[cell]) value = source[index_of(-c[0], -c[1], -c[2]) * kCells + cell];
          const int to =
              ((z + c[2] + kZ) % kZ * kY + (y + c[1] + kY) % kY) * kX + (x + c[0] + kX) % kX;
          expected[d * kCells + to] = value;
        }
      }
  expect_close(destination.download(), expected, 2e-5, 1e-6);
}

TEST(CorpusGrids, LifeInBitsFollowsTheRule) {
  constexpr int kWords = 3, kWidth = 32 * kWords, kHeight = 20;
  Random random(26);
  Program program("kernels/automata");
  const auto cells = random.words(kWords * kHeight);
  const auto next = program.zeros<std::uint32_t>(kWords * kHeight);
  program.launch("life_bits", {{1, 5}, {8, 4}}, program.upload(cells), next, kWords, kHeight);
  auto alive = [&](int x, int y) {
    x = (x + kWidth) % kWidth;
    y = (y + kHeight) % kHeight;
    return static_cast<int>(cells[y * kWords + x / 32] >> (x % 32) & 1);
  };
  std::vector<std::uint32_t> expected(kWords * kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      int neighbours = -alive(x, y);
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) neighbours += alive(x + dx, y + dy);
      if (neighbours == 3 || (neighbours == 2 && alive(x, y)))
        expected[y * kWords + x / 32] |= 1u << x % 32;
    }
  expect_equal(next.download(), expected);
}

TEST(CorpusGrids, SandPileTopplesAndCounts) {
  constexpr int kWidth = 21, kHeight = 13;
  Random random(27);
  Program program("kernels/automata");
  const auto grains = random.integers(kWidth * kHeight, 0, 12);
  const auto next = program.zeros<int>(grains.size()), unstable = program.zeros<int>(1);
  program.launch("sand_pile", {{3, 2}, {8, 8}}, program.upload(grains), next, kWidth, kHeight,
                 unstable);
  std::vector<int> expected(grains.size());
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const int given = grains[y * kWidth + x] / 4;
      expected[y * kWidth + x] += grains[y * kWidth + x] % 4;
      if (x > 0) expected[y * kWidth + x - 1] += given;
      if (x < kWidth - 1) expected[y * kWidth + x + 1] += given;
      if (y > 0) expected[(y - 1) * kWidth + x] += given;
      if (y < kHeight - 1) expected[(y + 1) * kWidth + x] += given;
    }
  expect_equal(next.download(), expected);
  EXPECT_EQ(unstable.download()[0],
            std::count_if(expected.begin(), expected.end(), [](int value) { return value >= 4; }));
}

TEST(CorpusGrids, EulerFluxesAgreeWithVectorsWrittenOut) {
  constexpr int kElements = 100;
  constexpr double kGamma = 1.4, kSmoothing = 0.2;
  Random random(28);
  Program program("kernels/fluids");
  const auto neighbours = random.integers(4 * kElements, -2, kElements);
  const auto normals = random.singles(12 * kElements, -1, 1);
  std::vector<float> variables(5 * kElements);
  for (int i = 0; i < kElements; ++i) {
    variables[i] = random.single(1, 2);
    for (int axis = 1; axis < 4; ++axis) variables[axis * kElements + i] = random.single(-1, 1);
    variables[4 * kElements + i] = random.single(8, 10);
  }
  const auto fluxes = program.zeros<float>(5 * kElements);
  program.launch("euler_flux", {{2}, {64}}, program.upload(neighbours), program.upload(normals),
                 program.upload(variables), fluxes, kElements, float(kSmoothing));

  struct Gas {
    double u[5], pressure, sound, speed;
  };
  auto gas_of = [&](int i) {
    Gas gas = {};
    for (int q = 0; q < 5; ++q) gas.u[q] = variables[q * kElements + i];
    double squared = 0;
    for (int axis = 1; axis < 4; ++axis) squared += std::pow(gas.u[axis] / gas.u[0], 2);
    gas.speed = std::sqrt(squared);
    gas.pressure = (kGamma - 1) * (gas.u[4] - gas.u[0] * squared / 2);
    gas.sound = std::sqrt(kGamma * gas.pressure / gas.u[0]);
    return gas;
  };
  std::vector<double> expected(5 * kElements);
  for (int i = 0; i < kElements; ++i) {
    const Gas cell = gas_of(i);
    for (int face = 0; face < 4; ++face) {
      double normal[3], area = 0;
      for (int axis = 0; axis < 3; ++axis) {
        normal[axis] = normals[(face * 3 + axis) * kElements + i];
        area += normal[axis] * normal[axis];
      }
      area = std::sqrt(area);
      const int neighbour = neighbours[face * kElements + i];
      if (neighbour == -1)
        for (int axis = 0; axis < 3; ++axis)
          expected[(1 + axis) * kElements + i] += normal[axis] * cell.pressure;
      if (neighbour < 0) continue;
      const Gas other = gas_of(neighbour);
      const double push =
          area * kSmoothing * 0.5 * (cell.speed + other.speed + cell.sound + other.sound);
      for (int q = 0; q < 5; ++q) {
        double through = 0;
        for (const Gas& gas : {cell, other}) {
          double flow = 0;
          for (int axis = 0; axis < 3; ++axis) flow += gas.u[1 + axis] / gas.u[0] * normal[axis];
          through += 0.5 * flow * (gas.u[q] + (q == 4 ? gas.pressure : 0));
          if (q >= 1 && q <= 3) through += 0.5 * gas.pressure * normal[q - 1];
        }
        expected[q * kElements + i] += through - push * (cell.u[q] - other.u[q]);
      }
    }
  }
  expect_close(fluxes.download(), expected, 1e-4, 2e-4);
}

TEST(CorpusGrids, RecursiveGaussianRunsBothWaysAlongColumns) {
  constexpr int kWidth = 40, kHeight = 24;
  Random random(29);
  Program program("kernels/fluids");
  const auto input = random.words(kWidth * kHeight);
  // Coefficients of a Gaussian of width 3, normalised (Deriche).
  const double alpha = 1.695 / 3, ema = std::exp(-alpha), ema2 = std::exp(-2 * alpha);
  const double b1 = -2 * ema, b2 = ema2, k = (1 - ema) * (1 - ema) / (1 + 2 * alpha * ema - ema2);
  const double a0 = k, a1 = k * (alpha - 1) * ema, a2 = k * (alpha + 1) * ema, a3 = -k * ema2;
  const double coefp = (a0 + a1) / (1 + b1 + b2), coefn = (a2 + a3) / (1 + b1 + b2);
  const auto output = program.zeros<std::uint32_t>(kWidth * kHeight);
  program.launch("recursive_gaussian", {{2}, {32}}, program.upload(input), output, kWidth, kHeight,
                 float(a0), float(a1), float(a2), float(a3), float(b1), float(b2), float(coefp),
                 float(coefn));
  const auto actual = output.download();
  for (int x = 0; x < kWidth; ++x)
    for (int byte = 0; byte < 4; ++byte) {
      auto at = [&](int y) {
        return (input[std::clamp(y, 0, kHeight - 1) * kWidth + x] >> (8 * byte) & 0xff) / 255.0;
      };
      std::vector<double> forward(kHeight), backward(kHeight);
      for (int y = 0; y < kHeight; ++y) {
        const double y1 = y > 0 ? forward[y - 1] : at(0) * coefp;
        const double y2 = y > 1 ? forward[y - 2] : at(0) * coefp;
        forward[y] = a0 * at(y) + a1 * at(y - 1) - b1 * y1 - b2 * y2;
      }
      const double last = at(kHeight - 1);
      for (int y = kHeight - 1; y >= 0; --y) {
        const double y1 = y + 1 < kHeight ? backward[y + 1] : last * coefn;
        const double y2 = y + 2 < kHeight ? backward[y + 2] : last * coefn;
        backward[y] = a2 * at(y + 1) + a3 * at(y + 2) - b1 * y1 - b2 * y2;
      }
      for (int y = 0; y < kHeight; ++y) {
        const double value = std::clamp(std::fabs(forward[y] + backward[y]), 0.0, 1.0) * 255;
        // The forward pass is stored as bytes, and the sum is truncated: the error is at most 2.
        ASSERT_NEAR(actual[y * kWidth + x] >> (8 * byte) & 0xff, value, 2.01) << x << ' ' << y;
      }
    }
}

}  // namespace
}  // namespace heddle::corpus
