#pragma once

// Generated graphs to search.

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload::bfs {

/// A graph in compressed rows: the neighbours of `node` are neighbours[row_begin[node]] up to, but
/// not including, neighbours[row_begin[node + 1]]. Every edge is stored in both directions.
struct Graph {
  std::vector<std::int32_t> row_begin;
  std::vector<std::int32_t> neighbours;

  std::int32_t nodes() const { return static_cast<std::int32_t>(row_begin.size()) - 1; }
};

/// The level of a node that cannot be reached.
constexpr std::int32_t kUnreached = -1;

/// A graph in which few nodes have most of the edges, as in social networks (R-MAT: Chakrabarti,
/// Zhan, Faloutsos, 2004). Some nodes have no edge; some edges occur twice.
Graph make_social(std::int32_t nodes, std::int32_t edges, Random& random);
/// A road network: crossings near the points of a grid, with streets to some neighbours. Degrees
/// are low and paths are long.
Graph make_roads(std::int32_t width, std::int32_t height, Random& random);

/// The levels by breadth-first search with a queue.
std::vector<std::int32_t> levels_from(const Graph& graph, std::int32_t source);
/// A random node from which at least a third of the graph is reachable, or the best of 50 tries.
std::int32_t choose_source(const Graph& graph, Random& random);

}  // namespace heddle::workload::bfs
