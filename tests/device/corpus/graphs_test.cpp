// Kernels on graphs, and clustering.

#include <algorithm>
#include <queue>
#include <set>

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

/// A random undirected graph as sorted lists of neighbours.
std::vector<std::vector<int>> random_graph(Random& random, int nodes, int edges) {
  std::vector<std::set<int>> sets(static_cast<std::size_t>(nodes));
  for (int i = 0; i < edges; ++i) {
    const int a = random.below(nodes), b = random.below(nodes);
    if (a == b) continue;
    sets[a].insert(b);
    sets[b].insert(a);
  }
  std::vector<std::vector<int>> lists;
  for (const auto& set : sets) lists.emplace_back(set.begin(), set.end());
  return lists;
}

/// Stores the lists one after another in `columns`. List i begins at starts[i].
void flatten(const std::vector<std::vector<int>>& lists, std::vector<int>& starts,
             std::vector<int>& columns) {
  starts = {0};
  for (const auto& list : lists) {
    columns.insert(columns.end(), list.begin(), list.end());
    starts.push_back(static_cast<int>(columns.size()));
  }
}

/// The distance of each node from `start`; -1 for nodes that cannot be reached.
std::vector<int> levels_from(const std::vector<std::vector<int>>& graph, int start) {
  std::vector<int> levels(graph.size(), -1);
  std::queue<int> queue({start});
  levels[start] = 0;
  for (; !queue.empty(); queue.pop())
    for (int neighbour : graph[queue.front()])
      if (levels[neighbour] < 0) {
        levels[neighbour] = levels[queue.front()] + 1;
        queue.push(neighbour);
      }
  return levels;
}

TEST(CorpusGraphs, BreadthFirstSearchesFindTheLevelsOfTheHost) {
  constexpr int kNodes = 400;
  Random random(60);
  const auto graph = random_graph(random, kNodes, 700);
  const auto expected = levels_from(graph, 3);
  std::vector<int> starts, columns, nodes;
  flatten(graph, starts, columns);
  for (int node = 0; node < kNodes; ++node) {
    nodes.push_back(starts[node]);
    nodes.push_back(starts[node + 1] - starts[node]);
  }
  Program program("kernels/bfs");
  const auto device_columns = program.upload(columns), device_nodes = program.upload(nodes);

  std::vector<std::uint8_t> flags(kNodes);
  flags[3] = 1;
  const auto frontier = program.upload(flags), visited = program.upload(flags);
  const auto next = program.zeros<std::uint8_t>(kNodes);
  std::vector<int> unknown(kNodes, -1);
  unknown[3] = 0;
  const auto cost = program.upload(unknown);
  auto again = program.zeros<std::uint8_t>(1);
  do {
    again.assign({0});
    program.launch("bfs_frontier", {{7}, {64}}, device_nodes, device_columns, frontier, next,
                   visited, cost, kNodes);
    program.launch("bfs_commit", {{7}, {64}}, frontier, next, visited, again, kNodes);
  } while (again.download()[0]);
  expect_equal(cost.download(), expected);

  const auto device_starts = program.upload(starts), levels = program.upload(unknown);
  std::vector<int> queue = {3};
  for (int level = 0; !queue.empty(); ++level) {
    const auto next_queue = program.zeros<int>(kNodes), length = program.zeros<int>(1);
    program.launch("bfs_queue", {{2}, {64}}, device_starts, device_columns, program.upload(queue),
                   static_cast<int>(queue.size()), next_queue, length, levels, level);
    queue = next_queue.download();
    queue.resize(static_cast<std::size_t>(length.download()[0]));
  }
  expect_equal(levels.download(), expected);
}

TEST(CorpusGraphs, FloydAndWarshallFindShortestPaths) {
  constexpr int kNodes = 40, kFar = 1 << 28;
  Random random(61);
  std::vector<int> distances(kNodes * kNodes, kFar);
  for (int i = 0; i < kNodes; ++i) distances[i * kNodes + i] = 0;
  for (int i = 0; i < 160; ++i) {
    const int a = random.below(kNodes), b = random.below(kNodes);
    if (a != b) distances[a * kNodes + b] = 1 + random.below(100);
  }
  Program program("kernels/graphs");
  const auto device_distances = program.upload(distances);
  const auto via = program.upload(std::vector<int>(kNodes * kNodes, -1));
  for (int middle = 0; middle < kNodes; ++middle)
    program.launch("floyd_warshall", {{2, kNodes}, {32}}, device_distances, via, kNodes, middle);
  // The reference applies the algorithm of Bellman and Ford to every node.
  std::vector<int> expected;
  for (int start = 0; start < kNodes; ++start) {
    std::vector<int> best(kNodes, kFar);
    best[start] = 0;
    for (int turn = 0; turn < kNodes; ++turn)
      for (int a = 0; a < kNodes; ++a)
        for (int b = 0; b < kNodes; ++b)
          best[b] = std::min(best[b], best[a] + distances[a * kNodes + b]);
    expected.insert(expected.end(), best.begin(), best.end());
  }
  expect_equal(device_distances.download(), expected);
  const auto middles = via.download();
  for (int at = 0; at < kNodes * kNodes; ++at)
    if (middles[at] >= 0) {
      ASSERT_EQ(expected[at / kNodes * kNodes + middles[at]] +
                    expected[middles[at] * kNodes + at % kNodes],
                expected[at]);
    }
}

TEST(CorpusGraphs, RelaxingEdgesReachesShortestPaths) {
  constexpr int kNodes = 120, kEdges = 500;
  constexpr std::uint32_t kUnreached = ~0u;
  Random random(62);
  const auto from = random.integers(kEdges, 0, kNodes - 10),
             to = random.integers(kEdges, 0, kNodes);
  auto weights = random.words(kEdges);
  for (auto& weight : weights) weight = 1 + weight % 50;
  std::vector<std::uint32_t> expected(kNodes, kUnreached);
  expected[0] = 0;
  for (int turn = 0; turn < kNodes; ++turn)
    for (int edge = 0; edge < kEdges; ++edge)
      if (expected[from[edge]] != kUnreached)
        expected[to[edge]] = std::min(expected[to[edge]], expected[from[edge]] + weights[edge]);
  Program program("kernels/graphs");
  const auto device_from = program.upload(from), device_to = program.upload(to);
  const auto device_weights = program.upload(weights);
  std::vector<std::uint32_t> distances(kNodes, kUnreached);
  distances[0] = 0;
  for (bool again = true; again;) {
    const auto changed = program.zeros<int>(1);
    const auto now = program.upload(distances), next = program.upload(distances);
    program.launch("relax_edges", {{4}, {128}}, device_from, device_to, device_weights, now, next,
                   kEdges, changed);
    distances = next.download();
    again = changed.download()[0] != 0;
  }
  expect_equal(distances, expected);
}

TEST(CorpusGraphs, PageRankSpreadsAndTrianglesAreCounted) {
  constexpr int kNodes = 150;
  Random random(63);
  const auto graph = random_graph(random, kNodes, 900);
  std::vector<int> starts, columns, degrees;
  flatten(graph, starts, columns);
  for (const auto& list : graph) degrees.push_back(std::max<int>(1, static_cast<int>(list.size())));
  Program program("kernels/graphs");
  const auto ranks = random.singles(kNodes, 0, 0.02);
  const auto next = program.zeros<float>(kNodes);
  const auto device_starts = program.upload(starts), device_columns = program.upload(columns);
  program.launch("page_rank", {{3}, {64}}, device_starts, device_columns, program.upload(degrees),
                 program.upload(ranks), next, 0.85f, kNodes);
  std::vector<double> expected;
  for (const auto& list : graph) {
    double sum = 0;
    for (int neighbour : list) sum += double(ranks[neighbour]) / degrees[neighbour];
    expected.push_back(0.15 / kNodes + 0.85 * sum);
  }
  expect_close(next.download(), expected, 1e-5);

  std::uint64_t triangles = 0;
  for (int a = 0; a < kNodes; ++a)
    for (int b = a + 1; b < kNodes; ++b)
      for (int c = b + 1; c < kNodes; ++c) {
        auto are_neighbours = [&](int u, int v) {
          return std::binary_search(graph[u].begin(), graph[u].end(), v);
        };
        triangles += are_neighbours(a, b) && are_neighbours(b, c) && are_neighbours(a, c);
      }
  ASSERT_GT(triangles, 10u);
  const auto count = program.zeros<std::uint64_t>(1);
  program.launch("count_triangles", {{3}, {64}}, device_starts, device_columns, kNodes, count);
  EXPECT_EQ(count.download()[0], triangles);
}

TEST(CorpusGraphs, KmeansAssignsToTheNearestCentreAndSumsUp) {
  constexpr int kPoints = 300, kClusters = 6, kDimensions = 9;
  Random random(64);
  Program program("kernels/kmeans");
  const auto features = random.singles(kPoints * kDimensions, 0, 10);
  const auto centres = random.singles(kClusters * kDimensions, 0, 10);
  const std::vector<int> before(kPoints, 2);
  const auto membership = program.upload(before);
  const auto changed = program.zeros<int>(1), counts = program.zeros<int>(kClusters);
  const auto sums = program.zeros<float>(kClusters * kDimensions);
  const auto device_features = program.upload(features);
  program.launch("kmeans_assign", {{5}, {64}}, device_features, program.upload(centres), membership,
                 kPoints, kClusters, kDimensions, changed);
  program.launch("kmeans_accumulate", {{5}, {64}}, device_features, membership, sums, counts,
                 kPoints, kDimensions);
  const auto actual = membership.download();
  std::vector<int> expected_counts(kClusters);
  std::vector<double> expected_sums(kClusters * kDimensions);
  int moved = 0;
  for (int point = 0; point < kPoints; ++point) {
    auto distance = [&](int cluster) {
      double sum = 0;
      for (int d = 0; d < kDimensions; ++d)
        sum += std::pow(
            double(features[d * kPoints + point]) - double(centres[cluster * kDimensions + d]), 2);
      return sum;
    };
    ASSERT_TRUE(actual[point] >= 0 && actual[point] < kClusters);
    for (int cluster = 0; cluster < kClusters; ++cluster)
      ASSERT_LE(distance(actual[point]), distance(cluster) * (1 + 1e-5)) << point;
    moved += actual[point] != 2;
    ++expected_counts[actual[point]];
    for (int d = 0; d < kDimensions; ++d)
      expected_sums[actual[point] * kDimensions + d] += features[d * kPoints + point];
  }
  EXPECT_EQ(changed.download()[0], moved);
  expect_equal(counts.download(), expected_counts);
  expect_close(sums.download(), expected_sums, 1e-5);
}

}  // namespace
}  // namespace heddle::corpus
