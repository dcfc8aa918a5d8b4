// MD5 of a storage system's data, chunk by chunk, one thread a chunk. Equal digests tell what is
// stored already.

#include "kernel.h"

__device__ unsigned rotate(unsigned value, int by) { return value << by | value >> (32 - by); }

// Takes 64 bytes into the state. Unrolled, so that all words, constants and rotations are known
// when it is compiled.
__device__ void digest_block(const unsigned* message, unsigned* state) {
  const unsigned sines[64] = {
    0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu, 0xf57c0fafu, 0x4787c62au,
    0xa8304613u, 0xfd469501u, 0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu,
    0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u, 0xf61e2562u, 0xc040b340u,
    0x265e5a51u, 0xe9b6c7aau, 0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u,
    0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu, 0xa9e3e905u, 0xfcefa3f8u,
    0x676f02d9u, 0x8d2a4c8au, 0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu,
    0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u, 0x289b7ec6u, 0xeaa127fau,
    0xd4ef3085u, 0x04881d05u, 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u,
    0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u, 0x655b59c3u, 0x8f0ccc92u,
    0xffeff47du, 0x85845dd1u, 0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u,
    0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u,
  };
  const int rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  unsigned a = state[0], b = state[1], c = state[2], d = state[3];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    unsigned mixed;
    int word;
    if (i < 16) {
      mixed = d ^ (b & (c ^ d));
      word = i;
    } else if (i < 32) {
      mixed = c ^ (d & (b ^ c));
      word = (5 * i + 1) % 16;
    } else if (i < 48) {
      mixed = b ^ c ^ d;
      word = (3 * i + 5) % 16;
    } else {
      mixed = c ^ (b | ~d);
      word = 7 * i % 16;
    }
    const unsigned turned = rotate(a + mixed + sines[i] + message[word], rotations[i / 16][i % 4]);
    a = d;
    d = c;
    c = b;
    b += turned;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

// Where word `word` of the block's chunk `chunk` is staged. A row holds one word of every chunk, so
// that threads which read the same word of their chunks use all banks; each row is turned by one
// more, so that threads which write neighbouring words do too.
__device__ int staged_at(int chunk, int word) {
  return word * kThreads + (chunk + word) % kThreads;
}

// `data`: its last word is filled up with zeros.
extern "C" __global__ void hash_chunks(const unsigned* data, unsigned bytes, Digest* digests) {
  __shared__ unsigned staged[kChunkWords * kThreads];
  const int t = threadIdx.x;
  const unsigned words = (bytes + 3) / 4;
  const unsigned first = blockIdx.x * (kChunkWords * kThreads);
#pragma unroll 4
  for (int i = t; i < kChunkWords * kThreads; i += kThreads) {
    const unsigned word = first + i < words ? data[first + i] : 0;
    staged[staged_at(i / kChunkWords, i % kChunkWords)] = word;
  }
  __syncthreads();

  const unsigned chunk = blockIdx.x * kThreads + t;
  if (chunk * kChunkBytes >= bytes) return;
  // Only the last chunk may be shorter. Behind the data come a bit of 1, zeros, and how many bits
  // they are, in as many blocks of 64 bytes as that takes.
  const int length = min(bytes - chunk * kChunkBytes, kChunkBytes);
  const int blocks = (length + 8) / 64 + 1;
  unsigned state[4] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
  for (int block = 0; block < blocks; ++block) {
    unsigned message[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const int word = block * 16 + i;
      message[i] = block < kChunkWords / 16 ? staged[staged_at(t, word)] : 0;
      if (word == length / 4) message[i] |= 0x80u << length % 4 * 8;
    }
    if (block == blocks - 1) message[14] = length * 8;
    digest_block(message, state);
  }
  digests[chunk] = {state[0], state[1], state[2], state[3]};
}
