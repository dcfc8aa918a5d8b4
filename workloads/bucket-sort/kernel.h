#pragma once

namespace bucket_sort {

/// Threads a block where a thread has one key, or one value of a prefix sum.
constexpr int kBlock = 256;
/// Where a thread has a whole bucket.
constexpr int kSortBlock = 64;

// Of a grid that is resident as a whole.
constexpr int kResidentBlock = 1024;
/// Buckets that do not have more are sorted in a thread's own memory.
constexpr int kOwnKeys = 32;
/// On average over all buckets. Where keys crowd there are several times as many, so that a key
/// shares its bucket with 12 to 16 others, and few buckets have too many.
constexpr int kKeysOfResidentBucket = 8;

}  // namespace bucket_sort
