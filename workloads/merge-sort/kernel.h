#pragma once

// What the host part and the kernels of merge-sort share.

namespace merge_sort {

/// Pairs that a block sorts by itself, two a thread.
constexpr unsigned kTile = 1024;
constexpr unsigned kSortThreads = kTile / 2;

/// Every so many pairs of a run one is a sample. Between two samples there are no more than so many
/// pairs of either run.
constexpr unsigned kSampleStride = 128;
constexpr unsigned kSplitThreads = 256;
constexpr unsigned kMergeThreads = kSampleStride;

/// How many pairs of either run come before a sample in the merged run.
struct Split {
  unsigned left;
  unsigned right;
};

}  // namespace merge_sort
