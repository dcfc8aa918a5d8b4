// 256 bins counted in shared memory, then added to the global histogram.
extern "C" __global__ void histogram256(const unsigned* words, unsigned* histogram,
                                        int word_count) {
  __shared__ unsigned bins[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) bins[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < word_count;
       i += gridDim.x * blockDim.x) {
    unsigned word = words[i];
    atomicAdd(&bins[word & 0xff], 1u);
    atomicAdd(&bins[word >> 8 & 0xff], 1u);
    atomicAdd(&bins[word >> 16 & 0xff], 1u);
    atomicAdd(&bins[word >> 24], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) atomicAdd(&histogram[bin], bins[bin]);
}

// 64 bins, byte counters private to a thread, as the earliest GPUs needed it.
extern "C" __global__ void histogram64_private(const unsigned char* data, unsigned* histogram,
                                               int bytes_a_thread) {
  __shared__ unsigned char counts[64 * 64];
  int thread = threadIdx.x;
  for (int bin = 0; bin < 64; ++bin) counts[bin * 64 + thread] = 0;
  const unsigned char* mine = data + (blockIdx.x * 64 + thread) * bytes_a_thread;
  for (int i = 0; i < bytes_a_thread; ++i) ++counts[(mine[i] >> 2) * 64 + thread];
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 64; ++i) sum += counts[thread * 64 + (i + thread & 63)];
  atomicAdd(&histogram[thread], sum);
}
