#include "bfs_graphs.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <utility>

namespace heddle::workload::bfs {
namespace {

struct Edge {
  std::int32_t from = 0;
  std::int32_t to = 0;
};

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

Graph graph_of(std::int32_t nodes, const std::vector<Edge>& edges) {
  Graph graph;
  graph.row_begin.assign(at(nodes) + 1, 0);
  for (const Edge& edge : edges) {
    ++graph.row_begin[at(edge.from) + 1];
    ++graph.row_begin[at(edge.to) + 1];
  }
  for (std::size_t i = 1; i < graph.row_begin.size(); ++i) {
    graph.row_begin[i] += graph.row_begin[i - 1];
  }
  std::vector<std::int32_t> end(graph.row_begin.begin(), graph.row_begin.end() - 1);
  graph.neighbours.resize(edges.size() * 2);
  for (const Edge& edge : edges) {
    graph.neighbours[at(end[at(edge.from)]++)] = edge.to;
    graph.neighbours[at(end[at(edge.to)]++)] = edge.from;
  }
  return graph;
}

/// Divides the adjacency matrix into quarters recursively: 57 % of the edges are in the first
/// quarter, 19 % in each of the two beside it, 5 % in the last.
Edge draw_edge(int levels, Random& random) {
  constexpr std::uint32_t kFirst = 65536 * 57 / 100;
  constexpr std::uint32_t kSecond = 65536 * 76 / 100;
  constexpr std::uint32_t kThird = 65536 * 95 / 100;
  Edge edge;
  std::uint64_t bits = 0;
  for (int i = 0; i < levels; ++i) {
    bits = i % 4 == 0 ? random.next() : bits >> 16;
    const auto drawn = static_cast<std::uint32_t>(bits & 0xffff);
    edge.from = edge.from * 2 + (drawn >= kSecond ? 1 : 0);
    edge.to = edge.to * 2 + ((drawn >= kFirst && drawn < kSecond) || drawn >= kThird ? 1 : 0);
  }
  return edge;
}

}  // namespace

Graph make_social(std::int32_t nodes, std::int32_t edges, Random& random) {
  // The quarters favour low numbers. Renaming the nodes distributes the hubs.
  std::vector<std::int32_t> name(at(nodes));
  for (std::int32_t i = 0; i < nodes; ++i) name[at(i)] = i;
  for (std::uint32_t i = static_cast<std::uint32_t>(nodes); i > 1; --i) {
    std::swap(name[i - 1], name[random.below(i)]);
  }
  const int levels = std::bit_width(static_cast<std::uint32_t>(nodes - 1));
  std::vector<Edge> drawn;
  drawn.reserve(at(edges));
  while (drawn.size() < at(edges)) {
    const Edge edge = draw_edge(levels, random);
    if (edge.from >= nodes || edge.to >= nodes || edge.from == edge.to) continue;
    drawn.push_back({name[at(edge.from)], name[at(edge.to)]});
  }
  return graph_of(nodes, drawn);
}

Graph make_roads(std::int32_t width, std::int32_t height, Random& random) {
  struct Point {
    double x, y;
  };
  std::vector<Point> points;
  for (std::int32_t row = 0; row < height; ++row) {
    for (std::int32_t column = 0; column < width; ++column) {
      const double x = column + random.uniform(0, 0.7);
      points.push_back({x, row + random.uniform(0, 0.7)});
    }
  }
  std::vector<Edge> streets;
  const auto try_street = [&](std::int32_t from, std::int32_t column, std::int32_t row) {
    if (column < 0 || column >= width || row >= height) return;
    const std::int32_t to = row * width + column;
    const double dx = points[at(from)].x - points[at(to)].x;
    const double dy = points[at(from)].y - points[at(to)].y;
    // Streets connect only near crossings, and some streets are missing.
    const bool is_built = random.uniform() < 0.8;
    if (is_built && dx * dx + dy * dy < 1.3 * 1.3) streets.push_back({from, to});
  };
  for (std::int32_t row = 0; row < height; ++row) {
    for (std::int32_t column = 0; column < width; ++column) {
      const std::int32_t from = row * width + column;
      try_street(from, column + 1, row);
      try_street(from, column, row + 1);
      // Only some blocks have a diagonal street.
      if (random.below(4) == 0) try_street(from, column + 1, row + 1);
      if (random.below(4) == 0) try_street(from, column - 1, row + 1);
    }
  }
  return graph_of(width * height, streets);
}

std::vector<std::int32_t> levels_from(const Graph& graph, std::int32_t source) {
  std::vector<std::int32_t> level(at(graph.nodes()), kUnreached);
  std::queue<std::int32_t> queue;
  level[at(source)] = 0;
  queue.push(source);
  while (!queue.empty()) {
    const std::int32_t node = queue.front();
    queue.pop();
    for (std::int32_t i = graph.row_begin[at(node)]; i < graph.row_begin[at(node) + 1]; ++i) {
      const std::int32_t neighbour = graph.neighbours[at(i)];
      if (level[at(neighbour)] != kUnreached) continue;
      level[at(neighbour)] = level[at(node)] + 1;
      queue.push(neighbour);
    }
  }
  return level;
}

std::int32_t choose_source(const Graph& graph, Random& random) {
  std::int32_t best = 0;
  std::ptrdiff_t best_reach = 0;
  // The first try nearly always succeeds.
  for (int i = 0; i < 50 && best_reach < graph.nodes() / 3; ++i) {
    const auto source =
        static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(graph.nodes())));
    const std::vector<std::int32_t> level = levels_from(graph, source);
    const std::ptrdiff_t reach = graph.nodes() - std::count(level.begin(), level.end(), kUnreached);
    if (reach <= best_reach) continue;
    best = source;
    best_reach = reach;
  }
  return best;
}

}  // namespace heddle::workload::bfs
