// Finds for each place of each query the longest text from there on that the reference has, by
// walking the reference's suffix tree.

#include "kernel.h"

using namespace mummer;

// One thread a query. What a place's match has beyond its first character the next place matches
// too: so the walk goes on from the suffix link of the last node passed, and compares no character
// of the query twice.
extern "C" __global__ void match_queries(const Node* tree, const char* reference, Queries queries,
                                         int shortest_match, Match* matches) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= queries.count) return;
  const char* const query = queries.characters + queries.begin[thread];
  const int length = queries.begin[thread + 1] - queries.begin[thread];
  Match* const found = matches + queries.first_match[thread];

  int node = kRoot;
  int known = 0;  // So many characters from `start` on are in the tree.
  for (int start = 0; start + shortest_match <= length; ++start) {
    int depth = tree[node].depth;
    int end = node;  // Where the match ends, or on whose edge.
    while (start + depth < length) {
      const int child = tree[node].children[query[start + depth]];
      if (child == kNoChild) break;
      const int edge_length = tree[child].edge_length;
      const char* const edge = reference + tree[child].edge_begin;
      int along = min(known - depth, edge_length);
      if (along < 1) along = 1;  // The child was chosen by it.
      while (along < edge_length && start + depth + along < length &&
             edge[along] == query[start + depth + along]) {
        ++along;
      }
      depth += along;
      end = child;
      if (along < edge_length) break;
      node = child;
    }
    found[start].node = end;
    found[start].length = depth;
    known = depth - 1;
    node = tree[node].suffix_link;
  }
}
