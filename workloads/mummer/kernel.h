#pragma once

// What host and kernel agree on. Bases are numbers: A, C, G, T are 0 to 3.

namespace mummer {

constexpr int kBases = 4;
/// Ends the reference. No query has it, so that no match goes on to the end of a leaf's edge.
constexpr char kTerminator = 4;
constexpr int kRoot = 0;
constexpr int kNoChild = -1;

/// A node of the reference's suffix tree. Its edge is the one that leads to it.
struct Node {
  int children[kBases];
  int edge_begin;  ///< In the reference.
  int edge_length;
  int depth;        ///< Characters from the root to the node's end of the edge.
  int suffix_link;  ///< To the node for the same text without its first character; not of leaves.
};

/// The longest match of what begins at one place of a query.
struct Match {
  int node;  ///< Where it ends, or whose edge it ends on: the node's leaves are all that have it.
  int length;
};

/// Query i has the characters from begin[i] to begin[i + 1]; its matches begin at first_match[i].
struct Queries {
  const char* characters;
  const int* begin;
  const int* first_match;
  int count;
};

}  // namespace mummer
