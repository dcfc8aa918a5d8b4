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
