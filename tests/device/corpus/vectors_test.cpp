// Kernels on vectors: sums, reductions, scans and compaction.

#include <algorithm>
#include <numeric>

#include "base/half_model.h"
#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

TEST(CorpusVectors, VectorAddAddsEveryElementOfAnOddLength) {
  constexpr int kCount = 1000;
  Random random(1);
  const auto a = random.singles(kCount, -10, 10), b = random.singles(kCount, -10, 10);
  std::vector<float> expected(kCount);
  std::transform(a.begin(), a.end(), b.begin(), expected.begin(), std::plus<>());
  for (const char* kernel : {"vector_add", "vector_add_strided"}) {
    Program program("kernels/vector_add");
    const auto sum = program.zeros<float>(kCount);
    const std::uint32_t blocks = kernel == std::string("vector_add") ? 8 : 3;
    program.launch(kernel, {{blocks}, {128}}, program.upload(a), program.upload(b), sum, kCount);
    expect_equal(sum.download(), expected);
  }
}

TEST(CorpusVectors, DaxpyIsDoublePrecisionWithOrWithoutFusing) {
  constexpr int kCount = 777;
  Random random(2);
  const auto x = random.reals(kCount, -1, 1), y = random.reals(kCount, -1, 1);
  Program program("kernels/daxpy");
  const auto device_y = program.upload(y);
  program.launch("daxpy", {{2}, {96}}, 1.75, program.upload(x), device_y, kCount);
  std::vector<double> expected(kCount);
  for (int i = 0; i < kCount; ++i) expected[i] = std::fma(1.75, x[i], y[i]);
  expect_close(device_y.download(), expected, 1e-15, 1e-15);
}

TEST(CorpusVectors, ReductionsSumUpWholeVectors) {
  constexpr int kCount = 3001;
  Random random(3);
  Program program("kernels/reduction");

  const auto singles = random.singles(kCount, 0, 1);
  const auto block_sums = program.zeros<float>(4);
  program.launch("reduce_shared", {{4}, {256}}, program.upload(singles), block_sums, kCount);
  std::vector<double> expected(4);
  for (int i = 0; i < kCount; ++i) expected[i / 256 % 4] += singles[i];
  expect_close(block_sums.download(), expected, 1e-5);

  const auto integers = random.integers(kCount, -1000, 1000);
  const auto total = program.zeros<int>(1);
  program.launch("reduce_shuffle", {{3}, {192}}, program.upload(integers), total, kCount);
  EXPECT_EQ(total.download()[0], std::accumulate(integers.begin(), integers.end(), 0));

  const auto a = random.reals(kCount, -1, 1), b = random.reals(kCount, -1, 1);
  const auto product = program.zeros<double>(1);
  program.launch("scalar_product", {{1}, {256}}, program.upload(a), program.upload(b), product,
                 kCount);
  EXPECT_NEAR(product.download()[0], std::inner_product(a.begin(), a.end(), b.begin(), 0.0), 1e-11);
}

TEST(CorpusVectors, ScansMakePrefixSums) {
  Random random(4);
  Program program("kernels/scan");
  const auto input = random.integers(1024, -50, 50);
  const auto output = program.zeros<int>(1024), sums = program.zeros<int>(2);
  program.launch("scan_tree", {{2}, {256}}, program.upload(input), output, sums);
  std::vector<int> expected(1024), expected_sums(2);
  for (int block = 0; block < 2; ++block) {
    std::exclusive_scan(&input[block * 512], &input[block * 512] + 512, &expected[block * 512], 0);
    expected_sums[block] = expected[block * 512 + 511] + input[block * 512 + 511];
  }
  expect_equal(output.download(), expected);
  expect_equal(sums.download(), expected_sums);

  const auto words = random.words(768);
  const auto scanned = program.zeros<std::uint32_t>(768);
  program.launch("scan_warps", {{2}, {384}}, program.upload(words), scanned);
  std::vector<std::uint32_t> inclusive(768);
  for (int block = 0; block < 2; ++block)
    std::inclusive_scan(&words[block * 384], &words[block * 384] + 384, &inclusive[block * 384]);
  expect_equal(scanned.download(), inclusive);
}

TEST(CorpusVectors, CompactionKeepsWhatPassesTheTest) {
  constexpr int kCount = 500;
  Random random(5);
  Program program("kernels/compaction");
  const auto input = random.singles(kCount, -1, 1);
  const auto output = program.zeros<float>(kCount);
  const auto length = program.zeros<int>(1);
  program.launch("compact_positive", {{4}, {128}}, program.upload(input), output, length, kCount);
  std::vector<float> expected;
  std::copy_if(input.begin(), input.end(), std::back_inserter(expected),
               [](float value) { return value > 0; });
  ASSERT_EQ(length.download()[0], static_cast<int>(expected.size()));
  auto kept = output.download();
  kept.resize(expected.size());
  std::sort(kept.begin(), kept.end());
  std::sort(expected.begin(), expected.end());
  expect_equal(kept, expected);

  const auto integers = random.integers(kCount, 0, 1000);
  std::vector<int> odd, starts;
  for (int i = 0; i < kCount; ++i) {
    if (i % 128 == 0) starts.push_back(static_cast<int>(odd.size()));
    if (integers[i] % 2) odd.push_back(integers[i]);
  }
  const auto ordered = program.zeros<int>(odd.size());
  program.launch("compact_ordered", {{4}, {128}}, program.upload(integers), program.upload(starts),
                 ordered, kCount);
  expect_equal(ordered.download(), odd);
}

TEST(CorpusVectors, HalfAxpyRoundsOnceAfterTheFusedProduct) {
  constexpr int kPairs = 300;
  Random random(6);
  Program program("kernels/half_axpy");
  // Magnitudes from 1/64 to 2, so that nothing overflows and products are normal numbers.
  auto halves = [&] {
    std::vector<std::uint16_t> values(2 * kPairs);
    for (auto& value : values)
      value = static_cast<std::uint16_t>(random.below(0x1c00) + 0x2400 + (random.below(2) << 15));
    return values;
  };
  const auto x = halves(), y = halves();
  const std::uint32_t a = 0x3e00'bd00;  // The upper half is 1.5, the lower half -1.25.
  const auto device_x = program.upload(x), device_y = program.upload(y);
  program.launch("half2_axpy", {{2}, {64}}, a, device_x, device_y, kPairs);
  const auto actual = device_y.download();
  for (int i = 0; i < 2 * kPairs; ++i) {
    // A double holds the exact value. The result must be a nearest half.
    const double exact = (i % 2 ? 1.5 : -1.25) * half_value(x[i]) + half_value(y[i]);
    const double got = half_value(actual[i]);
    const int exponent = actual[i] >> 10 & 31;
    const double unit = std::ldexp(1.0, (exponent == 0 ? 1 : exponent) - 25);
    ASSERT_LE(std::fabs(got - exact), unit / 2) << "element " << i;
  }

  const auto dot = program.zeros<float>(1);
  program.launch("half2_dot", {{2}, {64}}, device_x, program.upload(y), dot, kPairs);
  double expected = 0;
  for (int i = 0; i < 2 * kPairs; ++i) expected += half_value(x[i]) * half_value(y[i]);
  EXPECT_NEAR(dot.download()[0], expected, 0.1);
}

}  // namespace
}  // namespace heddle::corpus
