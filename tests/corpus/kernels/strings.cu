// Text: naive and Rabin-Karp matching, Levenshtein distance, and CRC-32.
extern "C" __global__ void find_all(const char* text, int length, const char* pattern,
                                    int pattern_length, int* positions, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + pattern_length > length) return;
  for (int j = 0; j < pattern_length; ++j)
    if (text[i + j] != pattern[j]) return;
  positions[atomicAdd(count, 1)] = i;
}

extern "C" __global__ void rabin_karp(const unsigned char* text, int length, unsigned wanted,
                                      int window, int chunk, unsigned* matches) {
  constexpr unsigned kBase = 257, kPrime = 1000003;
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  int end = min(first + chunk, length - window + 1);
  if (first >= end) return;
  unsigned hash = 0, power = 1;
  for (int i = 0; i < window; ++i) {
    hash = (hash * kBase + text[first + i]) % kPrime;
    if (i > 0) power = power * kBase % kPrime;
  }
  for (int i = first; i < end; ++i) {
    if (hash == wanted) atomicOr(&matches[i / 32], 1u << i % 32);
    hash = ((hash + kPrime - text[i] * power % kPrime) * kBase + text[i + window]) % kPrime;
  }
}

extern "C" __global__ void levenshtein(const char* words, const unsigned char* lengths,
                                       const char* wanted, int wanted_length, int* distances,
                                       int count) {
  constexpr int kLongest = 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const char* word = words + i * kLongest;
  unsigned char row[kLongest + 1];
  for (int j = 0; j <= wanted_length; ++j) row[j] = j;
  for (int k = 1; k <= lengths[i]; ++k) {
    int diagonal = row[0];
    row[0] = k;
    for (int j = 1; j <= wanted_length; ++j) {
      int above = row[j];
      int cost = diagonal + (word[k - 1] != wanted[j - 1]);
      row[j] = min(cost, min(above, row[j - 1]) + 1);
      diagonal = above;
    }
  }
  distances[i] = row[wanted_length];
}

extern "C" __global__ void crc32(const unsigned char* data, int bytes_each, unsigned* sums,
                                 int count) {
  __shared__ unsigned table[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
    unsigned c = i;
#pragma unroll
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned crc = ~0u;
  for (int k = 0; k < bytes_each; ++k)
    crc = table[(crc ^ data[i * bytes_each + k]) & 0xff] ^ crc >> 8;
  sums[i] = ~crc;
}
