// Looking keys up: binary search in an array, and a walk down a B+ tree, a block of threads a query.
extern "C" __global__ void lower_bound(const long long* sorted, int count,
                                       const long long* queries, int* positions, int query_count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= query_count) return;
  long long wanted = queries[i];
  int first = 0, length = count;
  while (length > 0) {
    int half = length / 2;
    if (sorted[first + half] < wanted) {
      first += half + 1;
      length -= half + 1;
    } else {
      length = half;
    }
  }
  positions[i] = first;
}

constexpr int kOrder = 32;

struct TreeNode {
  int keys[kOrder + 1];
  int children[kOrder + 1];
  int key_count;
  bool leaf;
};

extern "C" __global__ void btree_find(const TreeNode* nodes, int height, const int* queries,
                                      int* answers) {
  __shared__ int current;
  __shared__ int answer;
  if (threadIdx.x == 0) {
    current = 0;
    answer = -1;
  }
  __syncthreads();
  int wanted = queries[blockIdx.x];
  for (int level = 0; level < height; ++level) {
    const TreeNode& node = nodes[current];
    int next = -1;
    if (threadIdx.x < node.key_count && node.keys[threadIdx.x] <= wanted &&
        wanted < node.keys[threadIdx.x + 1])
      next = node.children[threadIdx.x];
    __syncthreads();
    if (next >= 0) current = next;
    __syncthreads();
  }
  const TreeNode& node = nodes[current];
  if (threadIdx.x < node.key_count && node.keys[threadIdx.x] == wanted)
    answer = node.children[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) answers[blockIdx.x] = answer;
}
