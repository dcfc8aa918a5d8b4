#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::b_plus_tree_host {
namespace {

struct Counts {
  std::size_t records = 0;
  std::size_t finds = 0;
  std::size_t ranges = 0;
};

/// Each size has enough records for a tree of three levels: they need more than 508 leaves, even if
/// all leaves are full.
Counts counts_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {260'000, 20, 13};
    case Size::small:
      return {400'000, 450, 300};
    case Size::medium:
      return {1'000'000, 3'500, 2'000};
    case Size::large:
    case Size::paper:
      return {2'000'000, 25'000, 15'000};
  }
  return {};
}

/// Ascending account numbers, assigned one after the other, with gaps where accounts were closed.
std::vector<int> random_keys(std::size_t count, Random& random) {
  std::vector<int> keys(count);
  int key = 10'000;
  for (int& value : keys) {
    key += random.below(4) > 0 ? 1 : 2 + static_cast<int>(random.below(400));
    value = key;
  }
  return keys;
}

struct Tree {
  std::vector<Node> nodes;
  std::size_t leaves = 0;  ///< Leaves precede all other nodes.
  int root = 0;
  int levels = 0;
};

/// Builds a tree whose nodes are between half full and full, as after growth by splits.
Tree build_tree(std::span<const int> keys, Random& random) {
  Tree tree;
  std::vector<int> lowest(keys.begin(), keys.end());
  std::vector<int> children(keys.size());
  for (std::size_t i = 0; i < children.size(); ++i) children[i] = static_cast<int>(i);
  do {
    std::vector<int> upper_lowest;
    std::vector<int> upper_children;
    for (std::size_t begin = 0; begin < lowest.size();) {
      const std::size_t wanted = kMostKeys / 2 + random.below(kMostKeys / 2 + 1);
      const std::size_t count = std::min(wanted, lowest.size() - begin);
      Node node{};
      std::fill(std::begin(node.keys), std::end(node.keys), kNoKey);
      std::copy_n(&lowest[begin], count, node.keys);
      std::copy_n(&children[begin], count, node.children);
      // Keys below all others need a path through the tree, too.
      upper_lowest.push_back(begin == 0 ? kLowestKey : lowest[begin]);
      upper_children.push_back(static_cast<int>(tree.nodes.size()));
      tree.nodes.push_back(node);
      begin += count;
    }
    lowest = std::move(upper_lowest);
    children = std::move(upper_children);
    if (tree.levels == 0) tree.leaves = tree.nodes.size();
    ++tree.levels;
  } while (lowest.size() > 1);
  tree.root = children[0];
  return tree;
}

class BPlusTree final : public HostProgram {
 public:
  BPlusTree(Size size, std::uint64_t seed) {
    Random random(seed);
    const Counts counts = counts_of(size);
    keys_ = random_keys(counts.records, random);
    for (std::size_t i = 0; i < counts.records; ++i) {
      values_.push_back(static_cast<int>(random.below(1'000'000)));
    }
    tree_ = build_tree(keys_, random);
    for (std::size_t i = 0; i < counts.finds; ++i) finds_.push_back(random_key(random));
    for (std::size_t i = 0; i < counts.ranges; ++i) {
      // Most ranges are short, and some are empty.
      const std::uint32_t most = random.below(20) == 0 ? 5'000'000 : 5'000;
      begins_.push_back(random_key(random));
      ends_.push_back(begins_.back() + static_cast<int>(random.below(most)));
    }
  }

  void run(Gpu& device) override {
    const Array<Node> nodes = device.upload(tree_.nodes, "nodes");
    const Array<int> values = device.upload(values_, "values");

    const Array<int> keys = device.upload(finds_, "keys");
    const Array<int> path = device.allocate<int>(finds_.size() * kMostLevels, "path");
    const Array<int> answers = device.allocate<int>(finds_.size(), "answers");
    device.launch("find_k", shape_of(finds_.size()), nodes, tree_.root, tree_.levels, keys, values,
                  path, answers);
    answers_ = device.download(answers);

    const Array<int> begins = device.upload(begins_, "begins");
    const Array<int> ends = device.upload(ends_, "ends");
    const Array<int> begin_path = device.allocate<int>(begins_.size() * kMostLevels, "begin path");
    const Array<int> end_path = device.allocate<int>(begins_.size() * kMostLevels, "end path");
    const Array<int> first = device.allocate<int>(begins_.size(), "first");
    const Array<int> count = device.allocate<int>(begins_.size(), "count");
    device.launch("find_range_k", shape_of(begins_.size()), nodes, tree_.root, tree_.levels, begins,
                  ends, begin_path, end_path, first, count);
    first_ = device.download(first);
    count_ = device.download(count);
  }

  CheckResult check() const override {
    std::vector<int> answers;
    for (const int key : finds_) {
      const auto at = std::lower_bound(keys_.begin(), keys_.end(), key);
      const bool found = at != keys_.end() && *at == key;
      answers.push_back(found ? values_[static_cast<std::size_t>(at - keys_.begin())] : kNotFound);
    }
    std::vector<int> first;
    std::vector<int> count;
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const auto begin = std::lower_bound(keys_.begin(), keys_.end(), begins_[i]);
      const auto end = std::upper_bound(begin, keys_.end(), ends_[i]);
      first.push_back(static_cast<int>(begin - keys_.begin()));
      count.push_back(static_cast<int>(end - begin));
    }
    CheckResult check;
    check.exact("answers", answers_, answers);
    check.exact("first", first_, first);
    check.exact("count", count_, count);
    return check;
  }

 private:
  /// Returns mostly an existing key, often one of the newest tenth.
  int random_key(Random& random) const {
    const auto records = static_cast<std::uint32_t>(keys_.size());
    switch (random.below(8)) {
      case 0: {
        // Near the lowest key of a leaf, where a wrong comparison would show.
        const std::uint32_t leaf = random.below(static_cast<std::uint32_t>(tree_.leaves));
        return tree_.nodes[leaf].keys[0] - static_cast<int>(random.below(2));
      }
      case 1:
      case 2:
        // Anywhere from below the first key to above the last.
        return static_cast<int>(random.below(static_cast<std::uint32_t>(keys_.back()) + 10'000));
      case 3:
      case 4:
        return keys_[random.below(records)];
      default:
        return keys_[records - records / 10 + random.below(records / 10)];
    }
  }

  static LaunchShape shape_of(std::size_t queries) {
    return {.grid = {static_cast<std::uint32_t>(queries)}, .block = {kSlots}};
  }

  std::vector<int> keys_;
  std::vector<int> values_;
  Tree tree_;
  std::vector<int> finds_;
  std::vector<int> begins_;
  std::vector<int> ends_;
  std::vector<int> answers_;
  std::vector<int> first_;
  std::vector<int> count_;
};

/// The paper's table has one line for the program: 5632 registers per block of 512 threads.
const PaperResources kPaperResources{
    .source = "warpman Table 2", .registers_per_thread = 11, .blocks_per_sm = 3};

const Registration kRegistration({
    .name = "b+tree",
    .summary = "Queries of a B+ tree for keys and for ranges of keys",
    .papers = {"warpman Table 2"},
    .kernels = {{"find_k", {kSlots}, kPaperResources}, {"find_range_k", {kSlots}, kPaperResources}},
    .make = make_program<BPlusTree>,
});

}  // namespace
}  // namespace heddle::workload::b_plus_tree_host
