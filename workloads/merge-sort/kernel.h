#pragma once

// What the host part and the kernels of merge-sort share.

namespace merge_sort {

/// Pairs that a block sorts in shared memory, two per thread.
constexpr unsigned kTile = 1024;
constexpr unsigned kSortThreads = kTile / 2;

/// Every kSampleStride-th pair of a run is a sample. Between two adjacent samples of both runs
/// there are at most as many pairs of either run.
constexpr unsigned kSampleStride = 128;
constexpr unsigned kSplitThreads = 256;
constexpr unsigned kMergeThreads = kSampleStride;

/// The numbers of pairs of the two runs that precede a sample in the merged run.
struct Split {
  unsigned left;
  unsigned right;
};

}  // namespace merge_sort
