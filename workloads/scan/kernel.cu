// Exclusive prefix sums: out[i] = in[0] + ... + in[i - 1]. For a large vector, blocks scan kPerBlock
// numbers each; the host has their sums scanned in turn, and these are added to what each block has.

#include "kernel.h"

constexpr unsigned kBanks = 32;

// Where element i lies in shared memory. The tree's strides are powers of two: without a gap after
// every 32 words, the lanes of a warp would meet at a few banks.
__device__ unsigned place(unsigned i) { return i + i / kBanks; }

__device__ constexpr unsigned size_of_tree(unsigned numbers) { return numbers + numbers / kBanks; }

// Up the tree: the last element of every stretch of 2 * reach becomes the stretch's sum. A block
// has half as many threads as the tree has elements.
template <unsigned kNumbers>
__device__ void sum_stretches(unsigned* tree) {
  unsigned reach = 1;
  for (unsigned nodes = kNumbers / 2; nodes > 0; nodes /= 2) {
    __syncthreads();
    if (threadIdx.x < nodes) {
      const unsigned right = (2 * threadIdx.x + 2) * reach - 1;
      tree[place(right)] += tree[place(right - reach)];
    }
    reach *= 2;
  }
}

// Down again: a node hands what is before its stretch to its left child, and that with the left
// child's sum to its right one. The root must be 0.
template <unsigned kNumbers>
__device__ void distribute_sums(unsigned* tree) {
  unsigned reach = kNumbers;
  for (unsigned nodes = 1; nodes <= kNumbers / 2; nodes *= 2) {
    reach /= 2;
    __syncthreads();
    if (threadIdx.x < nodes) {
      const unsigned right = (2 * threadIdx.x + 2) * reach - 1;
      const unsigned left_sum = tree[place(right - reach)];
      const unsigned before = tree[place(right)];
      tree[place(right - reach)] = before;
      tree[place(right)] = before + left_sum;
    }
  }
  __syncthreads();
}

extern "C" __global__ void scan_blocks(const unsigned* in, unsigned* out, unsigned* block_sums,
                                       unsigned count) {
  __shared__ unsigned tree[size_of_tree(kPerBlock)];
  const unsigned tid = threadIdx.x;
  const unsigned low = blockIdx.x * kPerBlock + tid;
  const unsigned high = low + kThreads;
  tree[place(tid)] = low < count ? in[low] : 0;
  tree[place(tid + kThreads)] = high < count ? in[high] : 0;
  sum_stretches<kPerBlock>(tree);
  // No barrier is needed here: thread 0 itself was the last to add.
  if (tid == 0) {
    block_sums[blockIdx.x] = tree[place(kPerBlock - 1)];
    tree[place(kPerBlock - 1)] = 0;
  }
  distribute_sums<kPerBlock>(tree);
  if (low < count) out[low] = tree[place(tid)];
  if (high < count) out[high] = tree[place(tid + kThreads)];
}

// Adds to the numbers of every block what all blocks before it sum up to.
extern "C" __global__ void add_offsets(unsigned* out, const unsigned* offsets, unsigned count) {
  __shared__ unsigned offset;
  if (threadIdx.x == 0) offset = offsets[blockIdx.x];
  __syncthreads();
  const unsigned low = blockIdx.x * kPerBlock + threadIdx.x;
  const unsigned high = low + kThreads;
  if (low < count) out[low] += offset;
  if (high < count) out[high] += offset;
}

// Scans a short vector in each block. Vectors lie one after the other.
extern "C" __global__ void scan_short_vectors(const unsigned* in, unsigned* out) {
  __shared__ unsigned tree[size_of_tree(kShortVector)];
  const unsigned tid = threadIdx.x;
  const unsigned low = blockIdx.x * kShortVector + tid;
  const unsigned high = low + kShortThreads;
  tree[place(tid)] = in[low];
  tree[place(tid + kShortThreads)] = in[high];
  sum_stretches<kShortVector>(tree);
  if (tid == 0) tree[place(kShortVector - 1)] = 0;
  distribute_sums<kShortVector>(tree);
  out[low] = tree[place(tid)];
  out[high] = tree[place(tid + kShortThreads)];
}
