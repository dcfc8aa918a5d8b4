#pragma once

// The suffix tree of a text of bases.

#include <string>
#include <vector>

#include "kernel.h"

namespace heddle::workload::mummer {

struct SuffixTree {
  std::vector<::mummer::Node> nodes;
  /// Of each node: how many suffixes of the text end below it, and where one of them begins.
  std::vector<int> suffixes;
  std::vector<int> example;
};

/// By Ukkonen's algorithm, in time linear in the text, which has its terminator. Nodes are numbered
/// level after level from the root, so that those that all queries pass lie together.
SuffixTree make_suffix_tree(const std::string& text);

}  // namespace heddle::workload::mummer
