#include "suffix_tree.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace heddle::workload::mummer {
namespace {

constexpr int kLetters = ::mummer::kBases + 1;  ///< Including the terminator.
constexpr int kNone = -1;
constexpr int kEndOfText = std::numeric_limits<int>::max();

/// Adds one character after the other. The active place, a number of characters down an edge of a
/// node, is the part of the current suffix that the tree already contains.
class Ukkonen {
 public:
  struct Node {
    int begin, end;  ///< The range of the edge to this node. Leaves' edges grow with the text.
    int suffix_link = 0;
    std::array<int, kLetters> children{kNone, kNone, kNone, kNone, kNone};
  };

  explicit Ukkonen(const std::string& text) : text_(text) {
    add_node(0, 0);
    for (int at = 0; at < static_cast<int>(text.size()); ++at) add_character(at);
  }

  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  int letter(int at) const { return text_[static_cast<std::size_t>(at)]; }
  Node& node(int index) { return nodes_[static_cast<std::size_t>(index)]; }
  int& child(int parent, int letter) {
    return node(parent).children[static_cast<std::size_t>(letter)];
  }

  int add_node(int begin, int end) {
    nodes_.push_back({.begin = begin, .end = end});
    return static_cast<int>(nodes_.size()) - 1;
  }

  void add_character(int at) {
    ++pending_;
    int unlinked = kNone;
    const auto link_to = [&](int target) {
      if (unlinked != kNone) node(unlinked).suffix_link = target;
      unlinked = target;
    };
    while (pending_ > 0) {
      if (active_length_ == 0) active_edge_ = at;
      const int next = child(active_node_, letter(active_edge_));
      if (next == kNone) {
        child(active_node_, letter(active_edge_)) = add_node(at, kEndOfText);
        link_to(active_node_);
      } else {
        const int length = std::min(node(next).end, at + 1) - node(next).begin;
        if (active_length_ >= length) {
          active_edge_ += length;
          active_length_ -= length;
          active_node_ = next;
          continue;
        }
        if (letter(node(next).begin + active_length_) == letter(at)) {
          ++active_length_;
          link_to(active_node_);
          return;
        }
        link_to(split(next, at));
      }
      --pending_;
      if (active_node_ == 0 && active_length_ > 0) {
        --active_length_;
        active_edge_ = at - pending_ + 1;
      } else {
        active_node_ = node(active_node_).suffix_link;
      }
    }
  }

  /// Makes the active place a node, and the new character a leaf of it.
  int split(int next, int at) {
    const int begin = node(next).begin;
    const int middle = add_node(begin, begin + active_length_);
    const int leaf = add_node(at, kEndOfText);
    child(active_node_, letter(active_edge_)) = middle;
    child(middle, letter(at)) = leaf;
    node(next).begin = begin + active_length_;
    child(middle, letter(node(next).begin)) = next;
    return middle;
  }

  const std::string& text_;
  std::vector<Node> nodes_;
  int active_node_ = 0, active_edge_ = 0, active_length_ = 0;
  int pending_ = 0;  ///< Suffixes that are not leaves yet.
};

}  // namespace

SuffixTree make_suffix_tree(const std::string& text) {
  const Ukkonen made(text);
  const auto length = static_cast<int>(text.size());
  std::vector<int> order{0}, number(made.nodes().size(), 0);  // Level by level.
  SuffixTree tree;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const int child : made.nodes()[static_cast<std::size_t>(order[i])].children) {
      if (child == kNone) continue;
      number[static_cast<std::size_t>(child)] = static_cast<int>(order.size());
      order.push_back(child);
    }
  }
  std::vector<int> depth(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Ukkonen::Node& from = made.nodes()[static_cast<std::size_t>(order[i])];
    ::mummer::Node node{.children = {},
                        .edge_begin = from.begin,
                        .edge_length = std::min(from.end, length) - from.begin,
                        .depth = depth[i],
                        .suffix_link = number[static_cast<std::size_t>(from.suffix_link)]};
    bool is_leaf = true;
    for (std::size_t c = 0; c < kLetters; ++c) {
      const int child = from.children[c];
      const int child_number = child == kNone ? kNone : number[static_cast<std::size_t>(child)];
      if (c < ::mummer::kBases) node.children[c] = child_number;
      if (child == kNone) continue;
      is_leaf = false;
      const Ukkonen::Node& below = made.nodes()[static_cast<std::size_t>(child)];
      depth[static_cast<std::size_t>(child_number)] =
          depth[i] + std::min(below.end, length) - below.begin;
    }
    tree.nodes.push_back(node);
    tree.suffixes.push_back(is_leaf ? 1 : 0);
    tree.example.push_back(length - depth[i]);
  }
  // From the leaves up: children have greater numbers than their parents.
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const int child : made.nodes()[static_cast<std::size_t>(order[i])].children) {
      if (child == kNone) continue;
      const auto below = static_cast<std::size_t>(number[static_cast<std::size_t>(child)]);
      tree.suffixes[i] += tree.suffixes[below];
      tree.example[i] = tree.example[below];
    }
  }
  return tree;
}

}  // namespace heddle::workload::mummer
