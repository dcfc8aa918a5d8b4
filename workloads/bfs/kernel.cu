// Breadth-first search, one level a round: every node has a thread, and only those of the frontier
// have work. Two kernels a round, because a barrier over the whole grid lies between them.

// The neighbours of the frontier that no search has reached yet get their level. Several threads
// may do so for one node: all of them write the same values.
extern "C" __global__ void expand_frontier(const int* row_begin, const int* neighbours,
                                           unsigned char* in_frontier, unsigned char* in_next,
                                           const unsigned char* visited, int* level, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !in_frontier[node]) return;
  in_frontier[node] = 0;
  const int next_level = level[node] + 1;
  const int end = row_begin[node + 1];
  for (int edge = row_begin[node]; edge < end; ++edge) {
    const int neighbour = neighbours[edge];
    // `visited` changes in the other kernel only, so that no thread sees half a level.
    if (!visited[neighbour]) {
      level[neighbour] = next_level;
      in_next[neighbour] = 1;
    }
  }
}

// What was reached becomes the frontier. `again` says that there is one.
extern "C" __global__ void commit_frontier(unsigned char* in_frontier, unsigned char* in_next,
                                           unsigned char* visited, int* again, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !in_next[node]) return;
  in_next[node] = 0;
  in_frontier[node] = 1;
  visited[node] = 1;
  *again = 1;
}

// The same two on a grid that is resident as a whole: each thread looks after one node after the
// other.
extern "C" __global__ void expand_frontier_resident(const int* row_begin, const int* neighbours,
                                                    unsigned char* in_frontier,
                                                    unsigned char* in_next,
                                                    const unsigned char* visited, int* level,
                                                    int nodes) {
  const int threads = gridDim.x * blockDim.x;
  for (int node = blockIdx.x * blockDim.x + threadIdx.x; node < nodes; node += threads) {
    if (!in_frontier[node]) continue;
    in_frontier[node] = 0;
    const int next_level = level[node] + 1;
    const int end = row_begin[node + 1];
    for (int edge = row_begin[node]; edge < end; ++edge) {
      const int neighbour = neighbours[edge];
      if (!visited[neighbour]) {
        level[neighbour] = next_level;
        in_next[neighbour] = 1;
      }
    }
  }
}

extern "C" __global__ void commit_frontier_resident(unsigned char* in_frontier,
                                                    unsigned char* in_next, unsigned char* visited,
                                                    int* again, int nodes) {
  const int threads = gridDim.x * blockDim.x;
  for (int node = blockIdx.x * blockDim.x + threadIdx.x; node < nodes; node += threads) {
    if (!in_next[node]) continue;
    in_next[node] = 0;
    in_frontier[node] = 1;
    visited[node] = 1;
    *again = 1;
  }
}
