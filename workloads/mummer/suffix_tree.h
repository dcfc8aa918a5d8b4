#pragma once

// The suffix tree of a text of bases.

#include <string>
#include <vector>

#include "kernel.h"

namespace heddle::workload::mummer {

struct SuffixTree {
  std::vector<::mummer::Node> nodes;
  /// For each node: the number of leaves below it (a leaf counts itself), each of which is a
  /// suffix, and the beginning of one of these suffixes.
  std::vector<int> suffixes;
  std::vector<int> example;
};

/// Builds the tree by Ukkonen's algorithm, in linear time. The text must end with its terminator.
/// Nodes are numbered level by level from the root, so that nodes on all queries' paths are close
/// together in memory.
SuffixTree make_suffix_tree(const std::string& text);

}  // namespace heddle::workload::mummer
