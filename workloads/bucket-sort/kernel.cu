// Bucket sort: keys go to buckets by their value, and one thread sorts each bucket.

#include "kernel.h"

using namespace bucket_sort;

// Parts of a bucket that are not longer are sorted by insertion.
constexpr int kShort = 12;

// The buckets divide the range of the keys evenly: the greater the key, the greater its bucket.
__device__ unsigned bucket_of(unsigned key, unsigned buckets) { return __umulhi(key, buckets); }

// Counts the keys of every bucket. The count before tells each key which place in its bucket is
// its own, so that placing needs no second atomic.
extern "C" __global__ void count_keys(const unsigned* keys, int count, int buckets, int* bucket_size,
                                      int* place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) place[i] = atomicAdd(&bucket_size[bucket_of(keys[i], buckets)], 1);
}

// Every block's values become the sums of those before them in the block; block_sums gets the
// block's sum.
extern "C" __global__ void scan_blocks(const int* values, int* sums_before, int count,
                                       int* block_sums) {
  __shared__ int sums[2][kBlock];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * kBlock + thread;
  const int own = i < count ? values[i] : 0;
  sums[0][thread] = own;
  __syncthreads();
  // Two buffers, so that one barrier a step is enough.
  int from = 0;
  for (int distance = 1; distance < kBlock; distance *= 2) {
    int sum = sums[from][thread];
    if (thread >= distance) sum += sums[from][thread - distance];
    from ^= 1;
    sums[from][thread] = sum;
    __syncthreads();
  }
  if (i < count) sums_before[i] = sums[from][thread] - own;
  if (thread == kBlock - 1) block_sums[blockIdx.x] = sums[from][thread];
}

extern "C" __global__ void add_block_sums(int* sums_before, const int* block_sums_before,
                                          int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) sums_before[i] += block_sums_before[blockIdx.x];
}

extern "C" __global__ void place_keys(const unsigned* keys, int count, int buckets,
                                      const int* bucket_begin, const int* place,
                                      unsigned* placed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned key = keys[i];
  placed[bucket_begin[bucket_of(key, buckets)] + place[i]] = key;
}

__device__ void sort_by_insertion(unsigned* keys, int begin, int end) {
  for (int i = begin + 1; i < end; ++i) {
    const unsigned key = keys[i];
    int to = i;
    while (to > begin && keys[to - 1] > key) {
      keys[to] = keys[to - 1];
      --to;
    }
    keys[to] = key;
  }
}

__device__ unsigned median(unsigned a, unsigned b, unsigned c) {
  return max(min(a, b), min(max(a, b), c));
}

// Divides by the median of three keys: none in [begin, result) is greater than any behind. Neither
// part is empty, as one of the three is not below the median, and one not above.
__device__ int divide(unsigned* keys, int begin, int end) {
  const unsigned pivot = median(keys[begin], keys[(begin + end) / 2], keys[end - 1]);
  int low = begin;
  int high = end - 1;
  while (true) {
    while (keys[low] < pivot) ++low;
    while (keys[high] > pivot) --high;
    if (low >= high) return high + 1;
    const unsigned key = keys[low];
    keys[low++] = keys[high];
    keys[high--] = key;
  }
}

// Quicksort without recursion. The longer part waits: what goes on is at most half as long, so that
// no more than kMost parts ever wait, as long as there are at most kShort * 2^kMost keys.
template <int kMost>
__device__ void sort_by_division(unsigned* keys, int first, int count, int (&waiting_begin)[kMost],
                                 int (&waiting_end)[kMost]) {
  int waiting = 0;
  int begin = first;
  int end = begin + count;
  while (true) {
    while (end - begin > kShort) {
      const int middle = divide(keys, begin, end);
      const bool first_is_longer = middle - begin > end - middle;
      waiting_begin[waiting] = first_is_longer ? begin : middle;
      waiting_end[waiting] = first_is_longer ? middle : end;
      ++waiting;
      if (first_is_longer) {
        begin = middle;
      } else {
        end = middle;
      }
    }
    sort_by_insertion(keys, begin, end);
    if (waiting == 0) return;
    --waiting;
    begin = waiting_begin[waiting];
    end = waiting_end[waiting];
  }
}

// A bucket a thread.
extern "C" __global__ void sort_buckets(unsigned* keys, const int* bucket_begin,
                                        const int* bucket_size, int buckets) {
  const int bucket = blockIdx.x * blockDim.x + threadIdx.x;
  if (bucket >= buckets) return;
  int waiting_begin[32];
  int waiting_end[32];
  sort_by_division(keys, bucket_begin[bucket], bucket_size[bucket], waiting_begin, waiting_end);
}

// The same on a grid that is resident as a whole: a thread goes from key to key, and from bucket to
// bucket.
extern "C" __global__ void count_keys_resident(const unsigned* keys, int count, int buckets,
                                               int* bucket_size, int* place) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
    place[i] = atomicAdd(&bucket_size[bucket_of(keys[i], buckets)], 1);
  }
}

// One block, which adds up as many values at once as it has threads, in the steps of scan_blocks.
extern "C" __global__ void scan_resident(const int* values, int* sums_before, int count,
                                         int (*sums)[kResidentBlock]) {
  const int thread = threadIdx.x;
  int before = 0;
  int from = 0;
  for (int first = 0; first < count; first += kResidentBlock) {
    const int i = first + thread;
    const int own = i < count ? values[i] : 0;
    sums[from][thread] = own;
    __syncthreads();
    for (int distance = 1; distance < kResidentBlock; distance *= 2) {
      int sum = sums[from][thread];
      if (thread >= distance) sum += sums[from][thread - distance];
      from ^= 1;
      sums[from][thread] = sum;
      __syncthreads();
    }
    if (i < count) sums_before[i] = before + sums[from][thread] - own;
    before += sums[from][kResidentBlock - 1];
    // Other threads may not have read that yet.
    from ^= 1;
  }
}

extern "C" __global__ void place_keys_resident(const unsigned* keys, int count, int buckets,
                                               const int* bucket_begin, const int* place,
                                               unsigned* placed) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
    const unsigned key = keys[i];
    placed[bucket_begin[bucket_of(key, buckets)] + place[i]] = key;
  }
}

// A bucket is sorted in the thread's own memory if it fits there.
union OwnMemory {
  unsigned keys[kOwnKeys];
  int waiting[2][kOwnKeys / 2];  // Enough for half a million keys in one bucket.
};

extern "C" __global__ void sort_buckets_resident(unsigned* keys, const int* bucket_begin,
                                                 const int* bucket_size, int buckets) {
  const int threads = gridDim.x * blockDim.x;
  for (int bucket = blockIdx.x * blockDim.x + threadIdx.x; bucket < buckets; bucket += threads) {
    const int begin = bucket_begin[bucket];
    const int size = bucket_size[bucket];
    OwnMemory own;
    if (size <= kOwnKeys) {
      for (int i = 0; i < size; ++i) own.keys[i] = keys[begin + i];
      sort_by_insertion(own.keys, 0, size);
      for (int i = 0; i < size; ++i) keys[begin + i] = own.keys[i];
    } else {
      sort_by_division(keys, begin, size, own.waiting[0], own.waiting[1]);
    }
  }
}
