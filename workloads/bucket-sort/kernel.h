#pragma once

namespace bucket_sort {

/// Threads a block where a thread has one key, or one value of a prefix sum.
constexpr int kBlock = 256;
/// Where a thread has a whole bucket.
constexpr int kSortBlock = 64;

}  // namespace bucket_sort
