// Queries of a B+ tree: a block a query, a thread a slot of a node. Blocks come down the tree from
// the root; the one thread whose slot leads on tells the others by way of global memory.

#include "kernel.h"

namespace {

// The block's node of the next level, or its final place: the one child whose keys enclose `key`.
__device__ void descend(const Node& node, int key, int* next) {
  const int slot = threadIdx.x;
  if (slot < kMostKeys && node.keys[slot] <= key && key < node.keys[slot + 1]) {
    *next = node.children[slot];
  }
}

}  // namespace

// The value of the record with each key, or kNotFound. path: for every query the nodes on its way,
// kMostLevels of them.
extern "C" __global__ void find_k(const Node* nodes, int root, int levels, const int* keys,
                                  const int* values, int* path, int* answers) {
  const int query = blockIdx.x;
  const int slot = threadIdx.x;
  const int key = keys[query];
  int* way = path + query * kMostLevels;
  int node = root;
  for (int level = 1; level < levels; ++level) {
    descend(nodes[node], key, &way[level]);
    // Every level has its own place, so that no thread overwrites what another has yet to read.
    __syncthreads();
    node = way[level];
  }
  if (slot == 0) answers[query] = kNotFound;
  __syncthreads();
  const Node& leaf = nodes[node];
  if (slot < kMostKeys && leaf.keys[slot] == key) answers[query] = values[leaf.children[slot]];
}

// The places of the records from key `begins` to key `ends`: the first of them and how many there
// are. Records lie in the order of their keys.
extern "C" __global__ void find_range_k(const Node* nodes, int root, int levels, const int* begins,
                                        const int* ends, int* begin_path, int* end_path,
                                        int* first, int* count) {
  const int query = blockIdx.x;
  const int slot = threadIdx.x;
  const int begin = begins[query];
  const int end = ends[query];
  int* begin_way = begin_path + query * kMostLevels;
  int* end_way = end_path + query * kMostLevels;
  int begin_node = root;
  int end_node = root;
  for (int level = 1; level < levels; ++level) {
    descend(nodes[begin_node], begin, &begin_way[level]);
    descend(nodes[end_node], end, &end_way[level]);
    __syncthreads();
    begin_node = begin_way[level];
    end_node = end_way[level];
  }

  // The first record that is not below the range lies in front of the leaf's first key that is not,
  // or, as unused slots have the greatest key, behind its last record. The way's first place is
  // free for it.
  const Node& begin_leaf = nodes[begin_node];
  if (slot <= kMostKeys && begin <= begin_leaf.keys[slot] &&
      (slot == 0 || begin_leaf.keys[slot - 1] < begin)) {
    begin_way[0] = begin_leaf.children[0] + slot;
  }
  const Node& end_leaf = nodes[end_node];
  if (slot <= kMostKeys && end < end_leaf.keys[slot] &&
      (slot == 0 || end_leaf.keys[slot - 1] <= end)) {
    end_way[0] = end_leaf.children[0] + slot;
  }
  __syncthreads();
  if (slot == 0) {
    first[query] = begin_way[0];
    count[query] = end_way[0] - begin_way[0];
  }
}
