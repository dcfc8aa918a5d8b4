// One level of a breadth-first search: over all nodes with flags, and over a work list.
struct Node {
  int first_edge;
  int edges;
};

extern "C" __global__ void bfs_frontier(const Node* nodes, const int* edges, bool* frontier,
                                        bool* next, const bool* visited, int* cost,
                                        int node_count) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= node_count || !frontier[node]) return;
  frontier[node] = false;
  for (int edge = nodes[node].first_edge; edge < nodes[node].first_edge + nodes[node].edges;
       ++edge) {
    int neighbour = edges[edge];
    if (!visited[neighbour]) {
      cost[neighbour] = cost[node] + 1;
      next[neighbour] = true;
    }
  }
}

extern "C" __global__ void bfs_commit(bool* frontier, bool* next, bool* visited, bool* again,
                                      int node_count) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < node_count && next[node]) {
    frontier[node] = true;
    visited[node] = true;
    *again = true;
    next[node] = false;
  }
}

// Each warp shares the edges of its 32 nodes evenly; new nodes are claimed by compare-and-swap.
extern "C" __global__ void bfs_queue(const int* row_starts, const int* columns, const int* queue,
                                     int queue_length, int* next_queue, int* next_length,
                                     int* levels, int level) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int warps = gridDim.x * blockDim.x / 32;
  for (int item = warp; item < queue_length; item += warps) {
    int node = queue[item];
    int end = row_starts[node + 1];
    for (int edge = row_starts[node] + lane; edge < end; edge += 32) {
      int neighbour = columns[edge];
      if (levels[neighbour] == -1 && atomicCAS(&levels[neighbour], -1, level + 1) == -1)
        next_queue[atomicAdd(next_length, 1)] = neighbour;
    }
  }
}
