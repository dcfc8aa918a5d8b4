#pragma once

namespace bucket_sort {

/// Threads of a block in the kernels in which a thread has one key or one value.
constexpr int kBlock = 256;
/// Threads of a block in the kernel in which a thread has a whole bucket.
constexpr int kSortBlock = 64;

// Threads of a block in the resident form, whose grid is resident as a whole.
constexpr int kResidentBlock = 1024;
/// Buckets with at most this many keys are sorted in a thread's private memory.
constexpr int kOwnKeys = 32;
/// Keys per bucket on average, in the resident form. Where keys cluster, a bucket has several times
/// as many: an average key shares its bucket with 12 to 16 others, and few buckets have too many.
constexpr int kKeysOfResidentBucket = 8;

}  // namespace bucket_sort
