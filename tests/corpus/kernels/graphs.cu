// Graphs as matrices and lists: Floyd and Warshall's step, relaxing of edges, PageRank and counting
// of triangles.
extern "C" __global__ void floyd_warshall(int* distances, int* via, int n, int middle) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= n) return;
  int through = distances[row * n + middle] + distances[middle * n + column];
  if (through < distances[row * n + column]) {
    distances[row * n + column] = through;
    via[row * n + column] = middle;
  }
}

extern "C" __global__ void relax_edges(const int* from, const int* to, const unsigned* weights,
                                       const unsigned* distances, unsigned* next, int edges,
                                       int* changed) {
  int edge = blockIdx.x * blockDim.x + threadIdx.x;
  if (edge >= edges) return;
  unsigned start = distances[from[edge]];
  if (start == ~0u) return;
  unsigned candidate = start + weights[edge];
  if (atomicMin(&next[to[edge]], candidate) > candidate) *changed = 1;
}

extern "C" __global__ void page_rank(const int* row_starts, const int* sources,
                                     const int* out_degrees, const float* ranks, float* next,
                                     float damping, int nodes) {
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  float sum = 0.0f;
  for (int i = row_starts[node]; i < row_starts[node + 1]; ++i)
    sum += __ldg(&ranks[sources[i]]) / out_degrees[sources[i]];
  next[node] = (1.0f - damping) / nodes + damping * sum;
}

// The lists are sorted; each edge (u, v) with u < v intersects two of them.
extern "C" __global__ void count_triangles(const int* row_starts, const int* columns, int nodes,
                                           unsigned long long* triangles) {
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned count = 0;
  if (u < nodes)
    for (int i = row_starts[u]; i < row_starts[u + 1]; ++i) {
      int v = columns[i];
      if (v <= u) continue;
      int a = i + 1, a_end = row_starts[u + 1], b = row_starts[v], b_end = row_starts[v + 1];
      while (a < a_end && b < b_end) {
        int left = columns[a], right = columns[b];
        if (left == right && left > v) ++count;
        if (left <= right) ++a;
        if (right <= left) ++b;
      }
    }
  for (int offset = 16; offset > 0; offset /= 2) count += __shfl_down_sync(~0u, count, offset);
  if (threadIdx.x % 32 == 0 && count > 0) atomicAdd(triangles, (unsigned long long)count);
}
