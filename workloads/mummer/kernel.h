#pragma once

// What host and kernel agree on. Bases are numbers: A, C, G, T are 0 to 3.

namespace mummer {

constexpr int kBases = 4;
/// Ends the reference. No query contains it, so no match reaches the end of a leaf's edge.
constexpr char kTerminator = 4;
constexpr int kRoot = 0;
constexpr int kNoChild = -1;

/// A node of the reference's suffix tree, and the edge that leads to it.
struct Node {
  int children[kBases];
  int edge_begin;  ///< In the reference.
  int edge_length;
  int depth;        ///< Characters from the root to this node.
  int suffix_link;  ///< The node of the same text without its first character; unused in leaves.
};

/// The longest match of the text that begins at one place of a query.
struct Match {
  int node;  ///< At which, or on whose edge, it ends. Exactly the leaves below have the match.
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
