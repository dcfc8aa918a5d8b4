// Dynamic programming: the 0/1 knapsack item by item in shared memory, longest common subsequence
// with 64 rows at once in the bits of a word, and matrix-chain costs along a diagonal.
extern "C" __global__ void knapsack(const int* weights, const int* values, int items, int capacity,
                                    int* best) {
  extern __shared__ int table[];  // Two rows of capacity + 1.
  int* from = table;
  int* to = table + capacity + 1;
  for (int c = threadIdx.x; c <= capacity; c += blockDim.x) from[c] = 0;
  __syncthreads();
  for (int item = 0; item < items; ++item) {
    int weight = weights[item], value = values[item];
    for (int c = threadIdx.x; c <= capacity; c += blockDim.x)
      to[c] = c >= weight ? max(from[c], from[c - weight] + value) : from[c];
    __syncthreads();
    int* swapped = from;
    from = to;
    to = swapped;
  }
  for (int c = threadIdx.x; c <= capacity; c += blockDim.x) best[c] = from[c];
}

extern "C" __global__ void lcs_bits(const unsigned long long* pattern_masks, const char* texts,
                                    const int* text_starts, int* lengths, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned long long rows = ~0ull;
  for (int k = text_starts[i]; k < text_starts[i + 1]; ++k) {
    unsigned long long matched = rows & pattern_masks[texts[k] - 'a'];
    rows = (rows + matched) | (rows - matched);
  }
  lengths[i] = __popcll(~rows);
}

extern "C" __global__ void matrix_chain(const int* sizes, long long* costs, int n, int length) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first + length >= n) return;
  int last = first + length;
  long long best = 0x7fffffffffffffffll;
  for (int split = first; split < last; ++split) {
    long long cost = costs[first * n + split] + costs[(split + 1) * n + last] +
                     (long long)sizes[first] * sizes[split + 1] * sizes[last + 1];
    best = cost < best ? cost : best;
  }
  costs[first * n + last] = best;
}
