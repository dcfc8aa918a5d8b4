// Kernels of linear algebra, dense and sparse.

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

/// The product of two n x n matrices.
template <class T>
std::vector<double> product(const std::vector<T>& a, const std::vector<T>& b, int n) {
  std::vector<double> c(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += double(a[i * n + k]) * double(b[k * n + j]);
  return c;
}

TEST(CorpusMatrices, ProductsAgreeWithTheSchoolbook) {
  constexpr int kSize = 64;
  Random random(10);
  Program program("kernels/matrix_multiply");
  const auto a = random.singles(kSize * kSize, -1, 1), b = random.singles(kSize * kSize, -1, 1);
  const auto c = random.singles(kSize * kSize, -1, 1);
  auto expected = product(a, b, kSize);
  const auto device_a = program.upload(a), device_b = program.upload(b);
  const auto tiled = program.zeros<float>(kSize * kSize);
  program.launch("matmul_tiled", {{4, 4}, {16, 16}}, device_a, device_b, tiled, kSize);
  expect_close(tiled.download(), expected, 1e-5, 1e-5);

  const auto blocked = program.upload(c);
  program.launch("sgemm_blocked", {{1, 1}, {16, 16}}, device_a, device_b, blocked, kSize, 0.5f,
                 2.0f);
  for (int i = 0; i < kSize * kSize; ++i) expected[i] = 0.5 * expected[i] + 2.0 * double(c[i]);
  expect_close(blocked.download(), expected, 1e-5, 1e-5);

  constexpr int kSmall = 36;
  const auto da = random.reals(kSmall * kSmall, -1, 1), db = random.reals(kSmall * kSmall, -1, 1);
  const auto dc = program.zeros<double>(kSmall * kSmall);
  program.launch("dgemm_column", {{3, 3}, {16, 4}}, program.upload(da), program.upload(db), dc,
                 kSmall);
  expect_close(dc.download(), product(da, db, kSmall), 1e-13, 1e-13);
}

TEST(CorpusMatrices, TransposeHandlesSidesThatAreNotMultiplesOfTheTile) {
  constexpr int kWidth = 70, kHeight = 45;
  Random random(11);
  Program program("kernels/transpose");
  const auto input = random.singles(kWidth * kHeight, 0, 1);
  const auto output = program.zeros<float>(kWidth * kHeight);
  program.launch("transpose", {{3, 2}, {32, 8}}, program.upload(input), output, kWidth, kHeight);
  std::vector<float> expected(kWidth * kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) expected[x * kHeight + y] = input[y * kWidth + x];
  expect_equal(output.download(), expected);
}

TEST(CorpusMatrices, SparseProductsAgreeInEveryStorage) {
  constexpr int kRows = 150, kWidth = 40;
  Random random(12);
  std::vector<int> starts = {0}, columns, ell_columns(kRows * kWidth, -1);
  std::vector<double> values;
  std::vector<float> ell_values(kRows * kWidth);
  for (int row = 0; row < kRows; ++row) {
    const int entries = random.below(kWidth);
    for (int k = 0; k < entries; ++k) {
      columns.push_back(random.below(kRows));
      values.push_back(random.real(-1, 1));
      ell_columns[k * kRows + row] = columns.back();
      ell_values[k * kRows + row] = static_cast<float>(values.back());
    }
    starts.push_back(static_cast<int>(columns.size()));
  }
  const auto x = random.reals(kRows, -1, 1);
  std::vector<double> expected(kRows);
  for (int row = 0; row < kRows; ++row)
    for (int i = starts[row]; i < starts[row + 1]; ++i) expected[row] += values[i] * x[columns[i]];

  Program program("kernels/spmv");
  const std::vector<float> single_values(values.begin(), values.end()),
      single_x(x.begin(), x.end());
  const auto device_starts = program.upload(starts), device_columns = program.upload(columns);
  const auto device_x = program.upload(single_x);
  const auto y = program.zeros<float>(kRows);
  program.launch("spmv_csr_scalar", {{3}, {64}}, device_starts, device_columns,
                 program.upload(single_values), device_x, y, kRows);
  expect_close(y.download(), expected, 1e-5, 1e-5);
  const auto wide_y = program.zeros<double>(kRows);
  program.launch("spmv_csr_vector", {{38}, {128}}, device_starts, device_columns,
                 program.upload(values), program.upload(x), wide_y, kRows);
  expect_close(wide_y.download(), expected, 1e-13, 1e-13);
  program.launch("spmv_ellpack", {{3}, {64}}, program.upload(ell_columns),
                 program.upload(ell_values), device_x, y, kRows, kWidth, kRows);
  expect_close(y.download(), expected, 1e-5, 1e-5);
}

TEST(CorpusMatrices, DiagonalBlockOfLuMultipliesBackToTheMatrix) {
  constexpr int kSize = 32, kBlock = 16, kOffset = 16;
  Random random(13);
  Program program("kernels/dense_solvers");
  auto matrix = random.singles(kSize * kSize, -1, 1);
  for (int i = 0; i < kSize; ++i) matrix[i * kSize + i] += 8.0f;
  const auto device_matrix = program.upload(matrix);
  program.launch("lud_diagonal", {{1}, {kBlock}}, device_matrix, kSize, kOffset);
  const auto lu = device_matrix.download();
  for (int i = 0; i < kBlock; ++i)
    for (int j = 0; j < kBlock; ++j) {
      double sum = 0;
      for (int k = 0; k <= std::min(i, j); ++k) {
        const double lower = k == i ? 1.0 : lu[(kOffset + i) * kSize + kOffset + k];
        sum += lower * lu[(kOffset + k) * kSize + kOffset + j];
      }
      EXPECT_NEAR(sum, matrix[(kOffset + i) * kSize + kOffset + j], 1e-5) << i << ' ' << j;
    }
  EXPECT_EQ(lu[0], matrix[0]);
}

TEST(CorpusMatrices, GaussianEliminationLeavesATriangleWithTheSameSolution) {
  constexpr int kSize = 20;
  Random random(14);
  Program program("kernels/dense_solvers");
  auto a = random.singles(kSize * kSize, -1, 1);
  for (int i = 0; i < kSize; ++i) a[i * kSize + i] += 6.0f;
  const auto solution = random.singles(kSize, -2, 2);
  std::vector<float> b(kSize);
  for (int i = 0; i < kSize; ++i) {
    double sum = 0;
    for (int j = 0; j < kSize; ++j) sum += double(a[i * kSize + j]) * double(solution[j]);
    b[i] = static_cast<float>(sum);
  }
  const auto device_a = program.upload(a), device_b = program.upload(b);
  const auto multipliers = program.zeros<float>(kSize * kSize);
  for (int step = 0; step < kSize - 1; ++step) {
    program.launch("gaussian_multipliers", {{1}, {32}}, multipliers, device_a, kSize, step);
    program.launch("gaussian_eliminate", {{3, 3}, {8, 8}}, multipliers, device_a, device_b, kSize,
                   step);
  }
  const auto triangle = device_a.download(), right = device_b.download();
  std::vector<double> x(kSize);
  for (int i = kSize - 1; i >= 0; --i) {
    double sum = right[i];
    for (int j = i + 1; j < kSize; ++j) sum -= double(triangle[i * kSize + j]) * x[j];
    x[i] = sum / double(triangle[i * kSize + i]);
    for (int j = 0; j < i; ++j) EXPECT_NEAR(triangle[i * kSize + j], 0.0, 1e-5);
  }
  expect_close(x, solution, 1e-4, 1e-4);
}

TEST(CorpusMatrices, CyclicReductionSolvesTridiagonalSystems) {
  constexpr int kSize = 64, kSystems = 3;
  Random random(15);
  Program program("kernels/dense_solvers");
  const auto lower = random.reals(kSize * kSystems, -1, 1);
  const auto diagonal = random.reals(kSize * kSystems, 3, 5);
  const auto upper = random.reals(kSize * kSystems, -1, 1);
  const auto expected = random.reals(kSize * kSystems, -1, 1);
  std::vector<double> right(kSize * kSystems);
  auto first = lower, last = upper;
  for (int i = 0; i < kSize * kSystems; ++i) {
    if (i % kSize == 0) first[i] = 0;
    if (i % kSize == kSize - 1) last[i] = 0;
    right[i] = diagonal[i] * expected[i];
    if (i % kSize > 0) right[i] += first[i] * expected[i - 1];
    if (i % kSize < kSize - 1) right[i] += last[i] * expected[i + 1];
  }
  const auto solution = program.zeros<double>(kSize * kSystems);
  program.launch("tridiagonal_pcr", {{kSystems}, {kSize}, 4 * kSize * sizeof(double)},
                 program.upload(first), program.upload(diagonal), program.upload(last),
                 program.upload(right), solution);
  expect_close(solution.download(), expected, 1e-10, 1e-10);
}

TEST(CorpusMatrices, ConjugateGradientConverges) {
  constexpr int kWidth = 9, kHeight = 8, kCount = kWidth * kHeight;
  Random random(16);
  Program program("kernels/conjugate_gradient");
  const auto right = random.reals(kCount, -1, 1);
  const auto x = program.zeros<double>(kCount), q = program.zeros<double>(kCount);
  auto r = program.upload(right), p = program.upload(right);
  auto r_dot_r = program.zeros<double>(1), p_dot_q = program.zeros<double>(1);
  auto squared = [](const std::vector<double>& v) {
    double sum = 0;
    for (double value : v) sum += value * value;
    return sum;
  };
  double old_square = squared(right);
  for (int turn = 0; turn < 60 && old_square > 1e-24; ++turn) {
    r_dot_r.assign({old_square});
    p_dot_q.assign({0.0});
    program.launch("cg_apply", {{2}, {64}}, p, q, p_dot_q, kWidth, kHeight);
    program.launch("cg_update", {{1}, {64}}, x, r, p, q, r_dot_r, p_dot_q, kCount);
    const auto residual = r.download();
    const double square = squared(residual);
    auto direction = p.download();
    for (int i = 0; i < kCount; ++i)
      direction[i] = residual[i] + square / old_square * direction[i];
    p.assign(direction);
    old_square = square;
  }
  const auto solution = x.download();
  for (int i = 0; i < kCount; ++i) {
    const int column = i % kWidth, row = i / kWidth;
    double sum = 4 * solution[i];
    if (column > 0) sum -= solution[i - 1];
    if (column < kWidth - 1) sum -= solution[i + 1];
    if (row > 0) sum -= solution[i - kWidth];
    if (row < kHeight - 1) sum -= solution[i + kWidth];
    ASSERT_NEAR(sum, right[i], 1e-9) << i;
  }
}

}  // namespace
}  // namespace heddle::corpus
