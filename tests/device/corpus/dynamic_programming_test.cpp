// Kernels of dynamic programming and backtracking.

#include <algorithm>
#include <functional>
#include <limits>

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

TEST(CorpusDynamicProgramming, NeedlemanWunschFillsTheWholeTable) {
  constexpr int kSize = 48, kColumns = kSize + 1, kPenalty = 10, kTiles = kSize / 16;
  Random random(50);
  Program program("kernels/needleman_wunsch");
  const auto similarity = random.integers(kColumns * kColumns, -4, 12);
  std::vector<int> scores(kColumns * kColumns);
  for (int i = 0; i < kColumns; ++i) scores[i] = scores[i * kColumns] = -i * kPenalty;
  const auto device_scores = program.upload(scores);
  const auto device_similarity = program.upload(similarity);
  for (int diagonal = 0; diagonal <= 2 * (kTiles - 1); ++diagonal) {
    const int first = std::max(0, diagonal - kTiles + 1), last = std::min(diagonal, kTiles - 1);
    program.launch("needle_diagonal", {{static_cast<std::uint32_t>(last - first + 1)}, {16}},
                   device_similarity, device_scores, kColumns, kPenalty, diagonal, first);
  }
  for (int y = 1; y < kColumns; ++y)
    for (int x = 1; x < kColumns; ++x)
      scores[y * kColumns + x] = std::max(
          {scores[(y - 1) * kColumns + x - 1] + similarity[y * kColumns + x],
           scores[y * kColumns + x - 1] - kPenalty, scores[(y - 1) * kColumns + x] - kPenalty});
  expect_equal(device_scores.download(), scores);
}

TEST(CorpusDynamicProgramming, PathfinderFindsTheCheapestPaths) {
  constexpr int kColumns = 600, kRows = 9, kSteps = 4;
  Random random(51);
  Program program("kernels/pathfinder");
  const auto wall = random.integers(kColumns * kRows, 0, 10);
  std::vector<int> costs(wall.begin(), wall.begin() + kColumns);
  auto from = program.upload(costs), to = program.zeros<int>(kColumns);
  const auto device_wall = program.upload(wall);
  for (int row = 1; row < kRows; row += kSteps) {
    program.launch("pathfinder", {{blocks_for(kColumns, 256 - 2 * kSteps)}, {256}}, kSteps,
                   device_wall, from, to, kColumns, row, kSteps);
    std::swap(from, to);
  }
  for (int row = 1; row < kRows; ++row) {
    const auto old = costs;
    for (int x = 0; x < kColumns; ++x)
      costs[x] = wall[row * kColumns + x] +
                 std::min({old[std::max(x - 1, 0)], old[x], old[std::min(x + 1, kColumns - 1)]});
  }
  expect_equal(from.download(), costs);
}

TEST(CorpusDynamicProgramming, ViterbiKeepsScoresAndBackPointers) {
  constexpr int kStates = 40, kSymbols = 7, kLength = 12, kSequences = 3;
  Random random(52);
  Program program("kernels/viterbi");
  const auto transition = random.singles(kStates * kStates, -5, 0);
  const auto emission = random.singles(kStates * kSymbols, -5, 0);
  const auto observations = random.integers(kLength * kSequences, 0, kSymbols);
  const auto scores = program.zeros<float>(kSequences * kStates);
  const auto back = program.zeros<std::uint8_t>(kSequences * kLength * kStates);
  program.launch("viterbi", {{kSequences}, {kStates}, kStates * sizeof(float)},
                 program.upload(transition), program.upload(emission), program.upload(observations),
                 kLength, kSymbols, scores, back);
  std::vector<double> expected;
  const auto pointers = back.download();
  for (int sequence = 0; sequence < kSequences; ++sequence) {
    std::vector<double> best(kStates);
    for (int t = 0; t < kLength; ++t) {
      const auto old = best;
      for (int s = 0; s < kStates; ++s) {
        const double here = emission[s * kSymbols + observations[sequence * kLength + t]];
        if (t == 0) {
          best[s] = here - std::log(double(kStates));
          continue;
        }
        auto through = [&](int from) { return old[from] + double(transition[from * kStates + s]); };
        double most = -std::numeric_limits<double>::infinity();
        for (int from = 0; from < kStates; ++from) most = std::max(most, through(from));
        best[s] = most + here;
        const int chosen = pointers[(sequence * kLength + t) * kStates + s];
        ASSERT_LT(chosen, kStates);
        ASSERT_NEAR(through(chosen), most, 1e-4);
      }
    }
    expected.insert(expected.end(), best.begin(), best.end());
  }
  expect_close(scores.download(), expected, 1e-5);
}

TEST(CorpusDynamicProgramming, KnapsackIsTheBestOfAllSubsets) {
  constexpr int kItems = 12, kCapacity = 70;
  Random random(53);
  Program program("kernels/knapsack");
  const auto weights = random.integers(kItems, 1, 25), values = random.integers(kItems, 1, 100);
  const auto best = program.zeros<int>(kCapacity + 1);
  program.launch("knapsack", {{1}, {32}, 2 * (kCapacity + 1) * sizeof(int)},
                 program.upload(weights), program.upload(values), kItems, kCapacity, best);
  std::vector<int> expected(kCapacity + 1);
  for (int subset = 0; subset < 1 << kItems; ++subset) {
    int weight = 0, value = 0;
    for (int item = 0; item < kItems; ++item)
      if (subset >> item & 1) weight += weights[item], value += values[item];
    for (int c = weight; c <= kCapacity; ++c) expected[c] = std::max(expected[c], value);
  }
  expect_equal(best.download(), expected);
}

TEST(CorpusDynamicProgramming, LongestCommonSubsequencesInBitsAgreeWithTheTable) {
  constexpr int kCount = 45, kPattern = 64;
  Random random(54);
  Program program("kernels/knapsack");
  std::vector<int> pattern = random.integers(kPattern, 0, 5), starts = {0};
  std::vector<std::uint64_t> masks(26);
  for (int i = 0; i < kPattern; ++i) masks[pattern[i]] |= std::uint64_t{1} << i;
  std::vector<char> texts;
  std::vector<int> expected;
  for (int i = 0; i < kCount; ++i) {
    const int length = random.below(50);
    std::vector<int> previous(kPattern + 1), row(kPattern + 1);
    for (int k = 0; k < length; ++k) {
      const int letter = random.below(6);
      texts.push_back(static_cast<char>('a' + letter));
      for (int j = 1; j <= kPattern; ++j)
        row[j] = letter == pattern[j - 1] ? previous[j - 1] + 1 : std::max(previous[j], row[j - 1]);
      previous = row;
    }
    expected.push_back(previous[kPattern]);
    starts.push_back(static_cast<int>(texts.size()));
  }
  const auto lengths = program.zeros<int>(kCount);
  program.launch("lcs_bits", {{2}, {32}}, program.upload(masks), program.upload(texts),
                 program.upload(starts), lengths, kCount);
  expect_equal(lengths.download(), expected);
}

TEST(CorpusDynamicProgramming, MatrixChainsCostLeast) {
  constexpr int kMatrices = 24;
  Random random(55);
  Program program("kernels/knapsack");
  const auto sizes = random.integers(kMatrices + 1, 1, 1000);
  const auto costs = program.zeros<std::int64_t>(kMatrices * kMatrices);
  const auto device_sizes = program.upload(sizes);
  for (int length = 1; length < kMatrices; ++length)
    program.launch("matrix_chain", {{1}, {32}}, device_sizes, costs, kMatrices, length);
  std::vector<std::int64_t> known(kMatrices * kMatrices, -1);
  const std::function<std::int64_t(int, int)> cost = [&](int first, int last) {
    std::int64_t& best = known[first * kMatrices + last];
    if (best >= 0) return best;
    best = first == last ? 0 : std::numeric_limits<std::int64_t>::max();
    for (int split = first; split < last; ++split)
      best = std::min(best, cost(first, split) + cost(split + 1, last) +
                                std::int64_t{sizes[first]} * sizes[split + 1] * sizes[last + 1]);
    return best;
  };
  const auto actual = costs.download();
  for (int first = 0; first < kMatrices; ++first)
    for (int last = first; last < kMatrices; ++last)
      ASSERT_EQ(actual[first * kMatrices + last], cost(first, last)) << first << ' ' << last;
}

TEST(CorpusDynamicProgramming, QueensHave92SolutionsOnAChessboard) {
  constexpr int kSize = 8, kPlaced = 2;
  std::vector<std::uint32_t> columns, left_diagonals, right_diagonals;
  constexpr std::uint32_t kMask = (1u << kSize) - 1;
  for (int a = 0; a < kSize; ++a)
    for (int b = 0; b < kSize; ++b) {
      if (std::abs(a - b) < 2) continue;
      columns.push_back(1u << a | 1u << b);
      left_diagonals.push_back((1u << a << 2 | 1u << b << 1) & kMask);
      right_diagonals.push_back(1u << a >> 2 | 1u << b >> 1);
    }
  Program program("kernels/nqueens");
  const auto solutions = program.zeros<std::uint32_t>(1);
  program.launch("nqueens", {{1}, {96}}, kSize, kPlaced, program.upload(columns),
                 program.upload(left_diagonals), program.upload(right_diagonals),
                 static_cast<int>(columns.size()), solutions);
  EXPECT_EQ(solutions.download()[0], 92u);
}

}  // namespace
}  // namespace heddle::corpus
