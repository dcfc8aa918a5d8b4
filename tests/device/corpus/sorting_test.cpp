// Kernels that count, sort, look up and match.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

TEST(CorpusSorting, HistogramsCountEveryByte) {
  constexpr int kWords = 700;
  Random random(40);
  Program program("kernels/histogram");
  const auto words = random.words(kWords);
  const auto histogram = program.zeros<std::uint32_t>(256);
  program.launch("histogram256", {{3}, {96}}, program.upload(words), histogram, kWords);
  std::vector<std::uint32_t> expected(256), coarse(64);
  for (std::uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) ++expected[word >> shift & 0xff];
  expect_equal(histogram.download(), expected);

  std::vector<std::uint8_t> bytes(2 * 64 * 20);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.word());
  for (std::uint8_t byte : bytes) ++coarse[byte / 4];
  const auto small = program.zeros<std::uint32_t>(64);
  program.launch("histogram64_private", {{2}, {64}}, program.upload(bytes), small, 20);
  expect_equal(small.download(), coarse);
}

TEST(CorpusSorting, NetworksSortKeysAndCarryTheirValues) {
  constexpr int kCount = 1024;
  Random random(41);
  auto keys = random.words(kCount);
  std::iota(keys.begin() + 100, keys.begin() + 200, 5u);
  std::vector<std::uint32_t> values(kCount);
  std::iota(values.begin(), values.end(), 0u);
  // 0: odd-even merge sort; 1: bitonic sort, ascending; 2: bitonic sort, descending.
  for (const int kind : {0, 1, 2}) {
    Program program("kernels/sorting_networks");
    const auto device_keys = program.upload(keys), device_values = program.upload(values);
    if (kind == 0)
      program.launch("odd_even_merge_sort", {{2}, {256}}, device_keys, device_values);
    else
      program.launch("bitonic_sort", {{2}, {256}}, device_keys, device_values, 512u,
                     static_cast<std::uint8_t>(kind == 1));
    auto expected = keys;
    for (int block = 0; block < kCount; block += 512) {
      std::sort(&expected[block], &expected[block] + 512);
      if (kind == 2) std::reverse(&expected[block], &expected[block] + 512);
    }
    const auto sorted = device_keys.download(), carried = device_values.download();
    expect_equal(sorted, expected);
    for (int i = 0; i < kCount; ++i) ASSERT_EQ(keys[carried[i]], sorted[i]) << i;
  }
}

TEST(CorpusSorting, RadixPassesSortStably) {
  constexpr int kCount = 1024, kBlocks = 4;
  Random random(42);
  Program program("kernels/radix_sort");
  auto keys = random.words(kCount);
  for (auto& key : keys) key &= 0xfff;
  auto from = program.upload(keys), to = program.zeros<std::uint32_t>(kCount);
  for (int shift = 0; shift < 12; shift += 4) {
    const auto counts = program.zeros<std::uint32_t>(16 * kBlocks);
    program.launch("radix_count", {{kBlocks}, {256}}, from, counts, kCount, shift);
    auto offsets = counts.download();
    ASSERT_EQ(std::accumulate(offsets.begin(), offsets.end(), 0u), unsigned(kCount));
    std::exclusive_scan(offsets.begin(), offsets.end(), offsets.begin(), 0u);
    program.launch("radix_scatter", {{kBlocks}, {256}}, from, to, program.upload(offsets), shift);
    auto expected = from.download();
    std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
      return (a >> shift & 15) < (b >> shift & 15);
    });
    expect_equal(to.download(), expected);
    std::swap(from, to);
  }
  std::sort(keys.begin(), keys.end());
  expect_equal(from.download(), keys);
}

TEST(CorpusSorting, SearchesFindPositions) {
  constexpr int kCount = 300, kQueries = 100;
  Random random(43);
  Program program("kernels/search");
  std::vector<std::int64_t> sorted(kCount), queries(kQueries);
  for (auto& value : sorted) value = static_cast<std::int64_t>(random.wide()) >> 3;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> expected;
  for (int i = 0; i < kQueries; ++i) {
    queries[i] = i % 2 ? sorted[random.below(kCount)] : static_cast<std::int64_t>(random.wide());
    expected.push_back(static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), queries[i]) -
                                        sorted.begin()));
  }
  const auto positions = program.zeros<int>(kQueries);
  program.launch("lower_bound", {{2}, {64}}, program.upload(sorted), kCount,
                 program.upload(queries), positions, kQueries);
  expect_equal(positions.download(), expected);
}

TEST(CorpusSorting, TreeWalkFindsTheRecordOfAKeyOrNone) {
  constexpr int kOrder = 32, kLeaves = 10, kQueries = 40;
  struct Node {
    int keys[kOrder + 1], children[kOrder + 1], key_count;
    bool leaf;
    char unused[3];
  };
  Random random(44);
  std::set<int> unique;
  while (unique.size() < kLeaves * 20) unique.insert(random.below(100000));
  const std::vector<int> keys(unique.begin(), unique.end());
  std::vector<Node> nodes(1 + kLeaves);
  std::map<int, int> records;
  nodes[0].key_count = kLeaves;
  for (int leaf = 0; leaf < kLeaves; ++leaf) {
    nodes[0].keys[leaf] = leaf == 0 ? -1 : keys[leaf * 20];
    nodes[0].children[leaf] = 1 + leaf;
    Node& node = nodes[1 + leaf];
    node.leaf = true;
    node.key_count = 20;
    for (int k = 0; k < 20; ++k) {
      node.keys[k] = keys[leaf * 20 + k];
      node.children[k] = 5000 + leaf * 20 + k;
      records[node.keys[k]] = node.children[k];
    }
  }
  nodes[0].keys[kLeaves] = 1 << 30;
  std::vector<int> queries, expected;
  for (int i = 0; i < kQueries; ++i) {
    queries.push_back(i % 3 ? keys[random.below(kLeaves * 20)] : random.below(100000));
    expected.push_back(records.contains(queries.back()) ? records[queries.back()] : -1);
  }
  Program program("kernels/search");
  const auto found = program.zeros<int>(kQueries);
  program.launch("btree_find", {{kQueries}, {kOrder}}, program.upload(nodes), 1,
                 program.upload(queries), found);
  expect_equal(found.download(), expected);
}

/// A random text of `count` letters, with `kinds` different letters.
std::vector<char> letters(Random& random, int count, int kinds) {
  std::vector<char> text(static_cast<std::size_t>(count));
  for (char& letter : text) letter = static_cast<char>('a' + random.below(kinds));
  return text;
}

TEST(CorpusSorting, MatchersFindEveryOccurrence) {
  constexpr int kLength = 900;
  Random random(45);
  Program program("kernels/strings");
  const auto text = letters(random, kLength, 3);
  const std::vector<char> pattern = {'a', 'b', 'a', 'c'};
  std::vector<int> expected;
  for (int i = 0; i + 4 <= kLength; ++i)
    if (std::equal(pattern.begin(), pattern.end(), text.begin() + i)) expected.push_back(i);
  ASSERT_GT(expected.size(), 3u);
  const auto positions = program.zeros<int>(kLength), count = program.zeros<int>(1);
  program.launch("find_all", {{8}, {128}}, program.upload(text), kLength, program.upload(pattern),
                 4, positions, count);
  ASSERT_EQ(count.download()[0], static_cast<int>(expected.size()));
  auto found = positions.download();
  found.resize(expected.size());
  std::sort(found.begin(), found.end());
  expect_equal(found, expected);

  auto padded = text;  // The rolling hash reads one letter beyond its last window.
  padded.push_back('x');
  std::uint64_t hash = 0;
  for (char letter : pattern) hash = (hash * 257 + static_cast<unsigned char>(letter)) % 1000003;
  std::vector<std::uint32_t> bits(kLength / 32 + 1);
  for (int i : expected) bits[i / 32] |= 1u << i % 32;
  const auto matches = program.zeros<std::uint32_t>(bits.size());
  program.launch("rabin_karp", {{1}, {64}}, program.upload(padded), kLength,
                 static_cast<std::uint32_t>(hash), 4, 15, matches);
  expect_equal(matches.download(), bits);
}

TEST(CorpusSorting, LevenshteinDistancesAgreeWithTheFullTable) {
  constexpr int kCount = 70, kLongest = 32;
  Random random(46);
  Program program("kernels/strings");
  const auto words = letters(random, kCount * kLongest, 4), wanted = letters(random, 20, 4);
  std::vector<std::uint8_t> lengths(kCount);
  std::vector<int> expected;
  for (int i = 0; i < kCount; ++i) {
    lengths[i] = static_cast<std::uint8_t>(random.below(kLongest + 1));
    std::vector<std::vector<int>> table(lengths[i] + 1u, std::vector<int>(21));
    for (int k = 0; k <= lengths[i]; ++k)
      for (int j = 0; j <= 20; ++j)
        if (k == 0 || j == 0)
          table[k][j] = k + j;
        else
          table[k][j] =
              std::min({table[k - 1][j] + 1, table[k][j - 1] + 1,
                        table[k - 1][j - 1] + (words[i * kLongest + k - 1] != wanted[j - 1])});
    expected.push_back(table[lengths[i]][20]);
  }
  const auto distances = program.zeros<int>(kCount);
  program.launch("levenshtein", {{2}, {64}}, program.upload(words), program.upload(lengths),
                 program.upload(wanted), 20, distances, kCount);
  expect_equal(distances.download(), expected);
}

TEST(CorpusSorting, Crc32AgreesWithDivisionBitByBit) {
  constexpr int kCount = 40, kBytes = 9;
  Random random(47);
  Program program("kernels/strings");
  std::vector<std::uint8_t> data(kCount * kBytes);
  for (auto& byte : data) byte = static_cast<std::uint8_t>(random.word());
  std::copy_n("123456789", kBytes, data.begin());
  const auto sums = program.zeros<std::uint32_t>(kCount);
  program.launch("crc32", {{1}, {64}}, program.upload(data), kBytes, sums, kCount);
  std::vector<std::uint32_t> expected;
  for (int i = 0; i < kCount; ++i) {
    std::uint32_t remainder = 0xffffffffu;
    for (int bit = 0; bit < kBytes * 8; ++bit) {
      const bool out = (remainder ^ (data[i * kBytes + bit / 8] >> bit % 8)) & 1;
      remainder = remainder >> 1 ^ (out ? 0xedb88320u : 0u);
    }
    expected.push_back(~remainder);
  }
  EXPECT_EQ(expected[0], 0xcbf43926u);
  expect_equal(sums.download(), expected);
}

}  // namespace
}  // namespace heddle::corpus
