// One pass of a radix sort from the lowest digit up: pairs of a key and a value, put in the order
// of one digit of the keys, those of the same digit as they were.
//
// sort_blocks orders each block's pairs and counts its digits, scan_counts finds where every
// block's pairs of each digit belong, scatter takes them there. What is said of digits and blocks
// lies as [digit][block].

#include "kernel.h"

constexpr unsigned kWarps = kThreads / 32;
static_assert(kWarps == kDigits, "scan_counts has a warp for each digit");

constexpr unsigned kCounters = kDigits * kWarps;
constexpr unsigned kCountersPerLane = kCounters / 32;
// A gap after every lane's counters keeps the lanes apart in the banks.
constexpr unsigned kCounterStride = kCountersPerLane + 1;

__device__ unsigned counter_place(unsigned digit, unsigned warp) {
  const unsigned i = digit * kWarps + warp;
  return i + i / kCountersPerLane;
}

// Inclusive prefix sums over a warp's lanes. `sums`: the warp's own 32 words of shared memory.
__device__ unsigned scan_warp(unsigned value, unsigned* sums, unsigned lane) {
  sums[lane] = value;
  __syncwarp();
  for (unsigned reach = 1; reach < 32; reach *= 2) {
    const unsigned below = lane >= reach ? sums[lane - reach] : 0;
    __syncwarp();
    value += below;
    sums[lane] = value;
    __syncwarp();
  }
  return value;
}

extern "C" __global__ void sort_blocks(const unsigned* keys, const unsigned* values,
                                       unsigned* sorted_keys, unsigned* sorted_values,
                                       unsigned* digit_counts, unsigned* digit_starts,
                                       unsigned count, unsigned shift) {
  // First counters, then the pairs on their way to their new threads.
  __shared__ unsigned shared[2 * kThreads];
  const unsigned tid = threadIdx.x;
  const unsigned lane = tid % 32;
  const unsigned warp = tid / 32;
  const unsigned begin = blockIdx.x * kThreads;
  const unsigned here = min(count - begin, kThreads);

  // Behind the last pair of all stand some of the highest digit: as the last of their digit they
  // stay behind.
  unsigned key = 0xffffffff;
  unsigned value = 0;
  if (tid < here) {
    key = keys[begin + tid];
    value = values[begin + tid];
  }
  const unsigned digit = key >> shift & (kDigits - 1);

  shared[tid] = 0;
  __syncthreads();

  // Which lanes have my digit? Those that agree in each of its bits.
  unsigned peers = 0xffffffff;
  for (unsigned bit = 0; bit < kDigitBits; ++bit) {
    const bool one = digit >> bit & 1;
    const unsigned ones = __ballot_sync(0xffffffff, one);
    peers &= one ? ones : ~ones;
  }
  const unsigned rank = __popc(peers & ((1u << lane) - 1));
  if (rank == 0) shared[counter_place(digit, warp)] = __popc(peers);
  __syncthreads();

  // One warp makes places of the counts: by digit, then by warp.
  if (warp == 0) {
    unsigned* counters = shared + lane * kCounterStride;
    unsigned sum = 0;
    for (unsigned k = 0; k < kCountersPerLane; ++k) sum += counters[k];
    unsigned before = scan_warp(sum, shared + kThreads, lane) - sum;
    for (unsigned k = 0; k < kCountersPerLane; ++k) {
      const unsigned mine = counters[k];
      counters[k] = before;
      before += mine;
    }
  }
  __syncthreads();

  const unsigned to = shared[counter_place(digit, warp)] + rank;
  if (tid < kDigits) {
    const unsigned start = shared[counter_place(tid, 0)];
    const unsigned end = tid + 1 < kDigits ? shared[counter_place(tid + 1, 0)] : here;
    digit_starts[tid * gridDim.x + blockIdx.x] = start;
    digit_counts[tid * gridDim.x + blockIdx.x] = end - start;
  }
  __syncthreads();

  shared[to] = key;
  shared[kThreads + to] = value;
  __syncthreads();
  if (tid < here) {
    sorted_keys[begin + tid] = shared[tid];
    sorted_values[begin + tid] = shared[kThreads + tid];
  }
}

// A single block; a warp for each digit. Counts become places in the whole array, in place.
extern "C" __global__ void scan_counts(unsigned* digit_counts, unsigned blocks) {
  __shared__ unsigned sums[kThreads];
  __shared__ unsigned digit_totals[kDigits];
  const unsigned lane = threadIdx.x % 32;
  const unsigned digit = threadIdx.x / 32;
  unsigned* counts = digit_counts + digit * blocks;
  unsigned* warp_sums = sums + digit * 32;

  unsigned total = 0;
  for (unsigned i = lane; i < blocks; i += 32) total += counts[i];
  total = scan_warp(total, warp_sums, lane);
  if (lane == 31) digit_totals[digit] = total;
  __syncthreads();

  unsigned before = 0;
  for (unsigned lower = 0; lower < digit; ++lower) before += digit_totals[lower];
  for (unsigned first = 0; first < blocks; first += 32) {
    const unsigned i = first + lane;
    const unsigned mine = i < blocks ? counts[i] : 0;
    const unsigned through = scan_warp(mine, warp_sums, lane);
    if (i < blocks) counts[i] = before + through - mine;
    before += warp_sums[31];
    __syncwarp();
  }
}

// Pairs of one digit lie side by side in a block, and so do the places where they go.
extern "C" __global__ void scatter(const unsigned* sorted_keys, const unsigned* sorted_values,
                                   const unsigned* digit_places, const unsigned* digit_starts,
                                   unsigned* keys, unsigned* values, unsigned count,
                                   unsigned shift) {
  // What is to be added to a thread's place in the block. It may wrap around, and then back.
  __shared__ unsigned moves[kDigits];
  const unsigned tid = threadIdx.x;
  if (tid < kDigits) {
    const unsigned i = tid * gridDim.x + blockIdx.x;
    moves[tid] = digit_places[i] - digit_starts[i];
  }
  __syncthreads();
  const unsigned i = blockIdx.x * kThreads + tid;
  if (i < count) {
    const unsigned key = sorted_keys[i];
    const unsigned to = tid + moves[key >> shift & (kDigits - 1)];
    keys[to] = key;
    values[to] = sorted_values[i];
  }
}
