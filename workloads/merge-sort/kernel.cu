// Merge sort of pairs of a key and a value. Where pairs are merged, each finds its place by itself:
// its own in its run plus, by binary search, that in the other run. A pair of the left run comes
// before its equals in the right one, so that the order of equal keys stays.

#include "kernel.h"

using namespace merge_sort;

// How many keys of the run are less than `key`, or with `kEquals` not greater.
template <bool kEquals>
__device__ unsigned count_before(const unsigned* run, unsigned length, unsigned key) {
  unsigned first = 0;
#pragma unroll 1
  while (length > 0) {
    const unsigned half = length / 2;
    if (kEquals ? run[first + half] <= key : run[first + half] < key) {
      first += half + 1;
      length -= half + 1;
    } else {
      length = half;
    }
  }
  return first;
}

__device__ unsigned count_less(const unsigned* run, unsigned length, unsigned key) {
  return count_before<false>(run, length, key);
}

__device__ unsigned count_not_greater(const unsigned* run, unsigned length, unsigned key) {
  return count_before<true>(run, length, key);
}

// Sorts tiles in shared memory, by merging runs of 1, 2, 4 and so on. What a tile lacks has the
// greatest key and comes last.
extern "C" __global__ void sort_tiles(const unsigned* from_keys, const unsigned* from_values,
                                      unsigned* to_keys, unsigned* to_values, unsigned count) {
  __shared__ unsigned keys[kTile];
  __shared__ unsigned values[kTile];

  const unsigned tile = blockIdx.x * kTile;
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned i = threadIdx.x + half * kSortThreads;
    keys[i] = tile + i < count ? from_keys[tile + i] : ~0u;
    values[i] = tile + i < count ? from_values[tile + i] : 0;
  }
#pragma unroll 1
  for (unsigned length = 1; length < kTile; length *= 2) {
    __syncthreads();
    // A pair of each run, both at the same place.
    const unsigned place = threadIdx.x & (length - 1);
    unsigned* const left = keys + 2 * (threadIdx.x - place);
    unsigned* const right = left + length;
    unsigned* const left_values = values + 2 * (threadIdx.x - place);
    const unsigned left_key = left[place];
    const unsigned left_value = left_values[place];
    const unsigned right_key = right[place];
    const unsigned right_value = left_values[length + place];
    const unsigned left_place = place + count_less(right, length, left_key);
    const unsigned right_place = place + count_not_greater(left, length, right_key);
    __syncthreads();
    left[left_place] = left_key;
    left_values[left_place] = left_value;
    left[right_place] = right_key;
    left_values[right_place] = right_value;
  }
  __syncthreads();
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned i = threadIdx.x + half * kSortThreads;
    if (tile + i < count) {
      to_keys[tile + i] = keys[i];
      to_values[tile + i] = values[i];
    }
  }
}

// Two runs that are merged. The last one may be short, or have no right run.
struct Runs {
  unsigned begin;
  unsigned left_length;
  unsigned right_length;
};

__device__ Runs runs_at(unsigned pair, unsigned length, unsigned count) {
  const unsigned begin = pair - pair % (2 * length);
  const unsigned both = min(count - begin, 2 * length);
  const unsigned left = min(both, length);
  return {begin, left, both - left};
}

// One thread a sample: finds how much of the other run comes before it, and with that also how many
// of the samples there, so that it can put itself in its place among those of both runs.
extern "C" __global__ void split_runs(const unsigned* keys, Split* splits, unsigned count,
                                      unsigned length) {
  const unsigned sample = (blockIdx.x * kSplitThreads + threadIdx.x) * kSampleStride;
  if (sample >= count) return;
  const Runs runs = runs_at(sample, length, count);
  const unsigned* const left = keys + runs.begin;
  const unsigned* const right = left + runs.left_length;
  const unsigned key = keys[sample];
  const unsigned place = sample - runs.begin;
  Split split;
  unsigned own;
  unsigned other;
  if (place < length) {
    split.left = own = place;
    split.right = other = count_less(right, runs.right_length, key);
  } else {
    split.right = own = place - length;
    split.left = other = count_not_greater(left, runs.left_length, key);
  }
  const unsigned samples_before = own / kSampleStride + (other + kSampleStride - 1) / kSampleStride;
  splits[runs.begin / kSampleStride + samples_before] = split;
}

// One block a sample: merges what lies from there to the next one.
extern "C" __global__ void merge_splits(const unsigned* from_keys, const unsigned* from_values,
                                        unsigned* to_keys, unsigned* to_values, const Split* splits,
                                        unsigned count, unsigned length) {
  __shared__ unsigned left_keys[kSampleStride];
  __shared__ unsigned right_keys[kSampleStride];
  __shared__ unsigned merged_keys[2 * kSampleStride];
  __shared__ unsigned merged_values[2 * kSampleStride];

  const unsigned thread = threadIdx.x;
  const unsigned sample = blockIdx.x * kSampleStride;
  const Runs runs = runs_at(sample, length, count);
  const Split begin = splits[blockIdx.x];
  Split end = {runs.left_length, runs.right_length};
  if (sample + kSampleStride < runs.begin + runs.left_length + runs.right_length) {
    end = splits[blockIdx.x + 1];
  }
  const unsigned lefts = end.left - begin.left;
  const unsigned rights = end.right - begin.right;

  unsigned left_value;
  unsigned right_value;
  if (thread < lefts) {
    const unsigned from = runs.begin + begin.left + thread;
    left_keys[thread] = from_keys[from];
    left_value = from_values[from];
  }
  if (thread < rights) {
    const unsigned from = runs.begin + runs.left_length + begin.right + thread;
    right_keys[thread] = from_keys[from];
    right_value = from_values[from];
  }
  __syncthreads();
  if (thread < lefts) {
    const unsigned key = left_keys[thread];
    const unsigned place = thread + count_less(right_keys, rights, key);
    merged_keys[place] = key;
    merged_values[place] = left_value;
  }
  if (thread < rights) {
    const unsigned key = right_keys[thread];
    const unsigned place = thread + count_not_greater(left_keys, lefts, key);
    merged_keys[place] = key;
    merged_values[place] = right_value;
  }
  __syncthreads();
  const unsigned to = runs.begin + begin.left + begin.right;
#pragma unroll 1
  for (unsigned i = thread; i < lefts + rights; i += kMergeThreads) {
    to_keys[to + i] = merged_keys[i];
    to_values[to + i] = merged_values[i];
  }
}
