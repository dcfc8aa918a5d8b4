// The eigenvalues of a symmetric tridiagonal matrix by bisection: how many are below a point is the
// number of negative pivots that elimination finds in the matrix less that point (Barth, Martin,
// Wilkinson: Calculation of the eigenvalues of a symmetric tridiagonal matrix by the method of
// bisection, 1967). Threads halve one interval each; where both halves have eigenvalues, the upper
// one goes to a thread that had none.

#include "kernel.h"

using eigenvalues::Interval;
using eigenvalues::kBlock;
using eigenvalues::kSmallBlock;
using eigenvalues::Matrix;

// The rows that a block's threads are at.
template <int threads>
struct Rows {
  float diagonal[threads];
  float beside[threads];
};

// What a block has in shared memory: an interval for each thread.
template <int threads>
struct Intervals {
  float left[threads];
  float right[threads];
  int below_left[threads];
  int below_right[threads];

  __device__ Interval at(int i) const { return {left[i], right[i], below_left[i], below_right[i]}; }
  __device__ void put(int i, const Interval& interval) {
    left[i] = interval.left;
    right[i] = interval.right;
    below_left[i] = interval.below_left;
    below_right[i] = interval.below_right;
  }
};

// The eigenvalues below `point`. All threads of the block load rows, those that ask count.
template <int threads>
__device__ int count_below(float point, bool asks, const Matrix& matrix, Rows<threads>& rows) {
  int negative = 0;
  float pivot = 1.0f;
  for (int first = 0; first < matrix.rows; first += threads) {
    const int row = first + threadIdx.x;
    __syncthreads();  // Those before are done with.
    if (row < matrix.rows) {
      rows.diagonal[threadIdx.x] = matrix.diagonal[row];
      rows.beside[threadIdx.x] = matrix.beside[row];
    }
    __syncthreads();
    if (!asks) continue;
    const int count = min(threads, matrix.rows - first);
    for (int i = 0; i < count; ++i) {
      // A pivot of zero makes the next one infinite, with the sign that is right for both.
      pivot = rows.diagonal[i] - point - rows.beside[i] * rows.beside[i] / pivot;
      negative += pivot < 0.0f;
    }
  }
  return negative;
}

// How many threads before this one count, and how many in all; only the first `among` may.
template <int threads>
__device__ int rank(bool counts, int among, int (&sums)[threads], int& total) {
  int sum = counts;
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int reach = 1; reach < among; reach *= 2) {
    const int before = threadIdx.x >= reach ? sums[threadIdx.x - reach] : 0;
    __syncthreads();
    sum += before;
    sums[threadIdx.x] = sum;
    __syncthreads();
  }
  total = sums[among - 1];
  return sum - counts;
}

__device__ bool has_one(const Interval& interval) {
  return interval.below_right - interval.below_left == 1;
}

// Halves the first `count` intervals until all are narrow; or, to find intervals with one
// eigenvalue, until there might not be room for all halves. Returns how many there are then.
template <bool until_alone, int threads>
__device__ int bisect(const Matrix& matrix, float narrow, Intervals<threads>& intervals,
                      int count) {
  __shared__ Rows<threads> rows;
  __shared__ int sums[threads];
  const int thread = threadIdx.x;
  while (!until_alone || 2 * count <= threads) {
    Interval own = {};
    bool open = false;
    if (thread < count) {
      own = intervals.at(thread);
      open = own.right - own.left > narrow && !(until_alone && has_one(own));
    }
    if (!__syncthreads_or(open)) break;

    const float middle = 0.5f * (own.left + own.right);
    const int counted = count_below(middle, open, matrix, rows);
    const int below = min(max(counted, own.below_left), own.below_right);
    const bool in_lower = below > own.below_left;
    const bool in_upper = below < own.below_right;
    const Interval lower = {own.left, middle, own.below_left, below};
    const Interval upper = {middle, own.right, below, own.below_right};
    if (open) intervals.put(thread, in_lower ? lower : upper);
    const bool splits = open && in_lower && in_upper;
    int splitting;
    const int place = count + rank(splits, count, sums, splitting);
    if (splits) intervals.put(place, upper);
    count += splitting;
    __syncthreads();
  }
  return count;
}

// The ones in the interval are its middle.
__device__ void store(const Interval& interval, float* eigenvalues) {
  for (int i = interval.below_left; i < interval.below_right; ++i) {
    eigenvalues[i] = 0.5f * (interval.left + interval.right);
  }
}

// All eigenvalues of a small matrix, in one block.
extern "C" __global__ void bisect_small(Matrix matrix, Interval all, float narrow,
                                        float* eigenvalues) {
  __shared__ Intervals<kSmallBlock> intervals;
  if (threadIdx.x == 0) intervals.put(0, all);
  __syncthreads();
  const int count = bisect<false>(matrix, narrow, intervals, 1);
  if (threadIdx.x < count) store(intervals.at(threadIdx.x), eigenvalues);
}

// The interval `all` in parts, in one block: those with one eigenvalue, or narrow, and those with
// several, in lists whose lengths are `counts`.
extern "C" __global__ void part(Matrix matrix, Interval all, float narrow, Interval* single,
                                Interval* several, int* counts) {
  __shared__ Intervals<kBlock> intervals;
  __shared__ int sums[kBlock];
  if (threadIdx.x == 0) intervals.put(0, all);
  __syncthreads();
  const int count = bisect<true>(matrix, narrow, intervals, 1);

  const int thread = threadIdx.x;
  Interval own = {};
  if (thread < count) own = intervals.at(thread);
  const bool is_single = thread < count && (has_one(own) || own.right - own.left <= narrow);
  int singles;
  const int place = rank(is_single, count, sums, singles);
  if (is_single) {
    single[place] = own;
  } else if (thread < count) {
    several[thread - place] = own;
  }
  if (thread == 0) {
    counts[0] = singles;
    counts[1] = count - singles;
  }
}

// Intervals with one eigenvalue: a thread has its own to the end.
extern "C" __global__ void bisect_single(Matrix matrix, const Interval* single, int count,
                                         float narrow, float* eigenvalues) {
  __shared__ Rows<kBlock> rows;
  const int thread = blockIdx.x * kBlock + threadIdx.x;
  Interval own = {};
  if (thread < count) own = single[thread];
  while (true) {
    const bool open = own.right - own.left > narrow;
    if (!__syncthreads_or(open)) break;
    const float middle = 0.5f * (own.left + own.right);
    const int below = count_below(middle, open, matrix, rows);
    if (open && below > own.below_left) {
      own.right = middle;
    } else if (open) {
      own.left = middle;
    }
  }
  if (thread < count) store(own, eigenvalues);
}

// Intervals with several: a block has those from `first[block]` until `first[block + 1]`, which
// have no more eigenvalues together than it has threads.
extern "C" __global__ void bisect_several(Matrix matrix, const Interval* several, const int* first,
                                          float narrow, float* eigenvalues) {
  __shared__ Intervals<kBlock> intervals;
  const int begin = first[blockIdx.x];
  const int given = first[blockIdx.x + 1] - begin;
  if (threadIdx.x < given) intervals.put(threadIdx.x, several[begin + threadIdx.x]);
  __syncthreads();
  const int count = bisect<false>(matrix, narrow, intervals, given);
  if (threadIdx.x < count) store(intervals.at(threadIdx.x), eigenvalues);
}
