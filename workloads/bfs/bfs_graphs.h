#pragma once

// Graphs to search: made, not loaded.

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload::bfs {

/// Compressed rows: the neighbours of `node` are neighbours[row_begin[node]] up to, but without,
/// neighbours[row_begin[node + 1]]. Every edge is there in both directions.
struct Graph {
  std::vector<std::int32_t> row_begin;
  std::vector<std::int32_t> neighbours;

  std::int32_t nodes() const { return static_cast<std::int32_t>(row_begin.size()) - 1; }
};

constexpr std::int32_t kUnreached = -1;

/// Few nodes have most of the edges, as in social networks (R-MAT: Chakrabarti, Zhan, Faloutsos,
/// 2004). Some nodes have no edge; some edges are there twice.
Graph make_social(std::int32_t nodes, std::int32_t edges, Random& random);
/// Crossings near the points of a grid, with streets to some of those around: low degrees, long
/// ways.
Graph make_roads(std::int32_t width, std::int32_t height, Random& random);

/// The textbook's search with a queue.
std::vector<std::int32_t> levels_from(const Graph& graph, std::int32_t source);
/// A node from which a good part of the graph can be reached.
std::int32_t choose_source(const Graph& graph, Random& random);

}  // namespace heddle::workload::bfs
