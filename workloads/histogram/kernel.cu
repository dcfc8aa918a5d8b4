// How often each of the 256 characters is in a text: every block counts its part of the text in
// tables in shared memory, then the blocks' counts are summed up.

#include "kernel.h"

// Partial counts of the whole grid: kBins counts a block.
extern "C" __global__ void count_characters(const unsigned* text, unsigned words, unsigned bytes,
                                            unsigned* partial_counts) {
  // Four tables rather than one: warps of different groups never meet at the same counter.
  __shared__ unsigned tables[kTables * kBins];
  for (unsigned i = threadIdx.x; i < kTables * kBins; i += kThreads) tables[i] = 0;
  __syncthreads();

  unsigned* table = tables + threadIdx.x / (32 * kWarpsPerTable) * kBins;
  const unsigned first = blockIdx.x * kThreads + threadIdx.x;
  for (unsigned i = first; i < words; i += gridDim.x * kThreads) {
    const unsigned four = text[i];
    atomicAdd(&table[four & 255], 1);
    atomicAdd(&table[four >> 8 & 255], 1);
    atomicAdd(&table[four >> 16 & 255], 1);
    atomicAdd(&table[four >> 24], 1);
  }
  // What does not fill a word, up to three characters.
  const unsigned rest = words * 4 + first;
  if (rest < bytes) atomicAdd(&table[reinterpret_cast<const unsigned char*>(text)[rest]], 1);
  __syncthreads();

  if (threadIdx.x < kBins) {
    unsigned sum = 0;
    for (unsigned k = 0; k < kTables; ++k) sum += tables[k * kBins + threadIdx.x];
    partial_counts[blockIdx.x * kBins + threadIdx.x] = sum;
  }
}

// Each block sums up kBinsPerBlock bins. Its rows of threads share the partial counts out, so that
// a warp reads neighbouring bins of one of them.
extern "C" __global__ void merge_counts(const unsigned* partial_counts, unsigned partials,
                                        unsigned* histogram) {
  __shared__ unsigned sums[kRowsOfThreads][kBinsPerBlock];
  const unsigned bin = blockIdx.x * kBinsPerBlock + threadIdx.x;

  unsigned sum = 0;
  for (unsigned k = threadIdx.y; k < partials; k += kRowsOfThreads) {
    sum += partial_counts[k * kBins + bin];
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();

  for (unsigned rows = kRowsOfThreads / 2; rows > 0; rows /= 2) {
    if (threadIdx.y < rows) sums[threadIdx.y][threadIdx.x] += sums[threadIdx.y + rows][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0) histogram[bin] = sums[0][threadIdx.x];
}

// One more of a character: in the thread's own counter, which is emptied into the histogram when it
// overflows; in the histogram at once if the character is beyond ASCII.
static __device__ __forceinline__ void count(unsigned character, unsigned char* counters,
                                             unsigned* histogram) {
  if (character >= kAsciiCharacters) {
    atomicAdd(&histogram[character], 1);
  } else if (++counters[character] == 0) {
    atomicAdd(&histogram[character], 256);
  }
}

// The same on a grid that is resident as a whole: each thread has a counter of one byte for each
// ASCII character, and leaves them in `thread_counts`: word by word, each that of all threads.
extern "C" __global__ void count_characters_resident(const unsigned* text, unsigned words,
                                                     unsigned bytes, unsigned* thread_counts,
                                                     unsigned* histogram) {
  unsigned packed[kWordsOfCounters] = {};
  unsigned char* const counters = reinterpret_cast<unsigned char*>(packed);
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = first; i < words; i += threads) {
    const unsigned four = text[i];
    count(four & 255, counters, histogram);
    count(four >> 8 & 255, counters, histogram);
    count(four >> 16 & 255, counters, histogram);
    count(four >> 24, counters, histogram);
  }
  // What does not fill a word, up to three characters.
  const unsigned rest = words * 4 + first;
  if (rest < bytes) count(reinterpret_cast<const unsigned char*>(text)[rest], counters, histogram);

#pragma unroll 1
  for (unsigned i = 0; i < kWordsOfCounters; ++i) thread_counts[i * threads + first] = packed[i];
}

// One block; each warp adds up one word of counters, those of four characters, of all threads.
extern "C" __global__ void merge_counts_resident(const unsigned* thread_counts, unsigned threads,
                                                 unsigned* histogram) {
  const unsigned word = threadIdx.x / 32;
  unsigned sums[4] = {};
  for (unsigned i = threadIdx.x % 32; i < threads; i += 32) {
    const unsigned four = thread_counts[word * threads + i];
    for (unsigned k = 0; k < 4; ++k) sums[k] += four >> 8 * k & 255;
  }
  for (unsigned k = 0; k < 4; ++k) atomicAdd(&histogram[word * 4 + k], sums[k]);
}
