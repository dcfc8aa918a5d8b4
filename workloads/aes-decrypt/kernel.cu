// AES-128 by tables: the cipher of FIPS-197 and its equivalent inverse. Four threads share a block
// of the cipher, one a column, and exchange columns in shared memory.

#include "kernel.h"

using namespace aes_decrypt;

// What encrypts takes each block of `from` by itself. What decrypts has chained ones (CBC): `from`
// begins with the initial vector, so that what a block is combined with lies right before it.
template <bool encrypts>
__device__ __forceinline__ void run_cipher(const Tables* tables, const unsigned int* from,
                                           unsigned int* to, int words) {
  __shared__ unsigned int mixed[4][kEntries];
  __shared__ unsigned int keys[kKeyWords];
  __shared__ unsigned char box[kEntries];
  // Two, taken in turns, so that one barrier a round is enough.
  __shared__ unsigned int states[2][kThreads];

  const int thread = threadIdx.x;
  for (int row = 0; row < 4; ++row) mixed[row][thread] = tables->mixed[row][thread];
  box[thread] = tables->box[thread];
  if (thread < kKeyWords) keys[thread] = tables->keys[thread];
  __syncthreads();

  const int column = thread % kColumns;
  // Where the shift of rows, or its inverse, finds this column's bytes of rows 1, 2 and 3.
  const int second = thread - column + (column + (encrypts ? 1 : 3)) % kColumns;
  const int third = thread - column + (column + 2) % kColumns;
  const int fourth = thread - column + (column + (encrypts ? 3 : 1)) % kColumns;

  for (int pass = 0; pass < kPasses; ++pass) {
    // Threads behind the end have nothing to do, but come to the barriers.
    const int i = (blockIdx.x * kPasses + pass) * kThreads + thread;
    unsigned int state = keys[column];
    if (i < words) state ^= encrypts ? from[i] : from[kColumns + i];

    for (int round = 1; round < kRounds; ++round) {
      unsigned int* const columns = states[round & 1];
      columns[thread] = state;
      __syncthreads();
      state = keys[kColumns * round + column] ^ mixed[0][state & 0xff] ^
              mixed[1][columns[second] >> 8 & 0xff] ^ mixed[2][columns[third] >> 16 & 0xff] ^
              mixed[3][columns[fourth] >> 24];
    }

    // The last round does not mix columns.
    unsigned int* const columns = states[kRounds & 1];
    columns[thread] = state;
    __syncthreads();
    const unsigned int bytes = box[state & 0xff] | box[columns[second] >> 8 & 0xff] << 8 |
                               box[columns[third] >> 16 & 0xff] << 16 |
                               static_cast<unsigned int>(box[columns[fourth] >> 24]) << 24;
    if (i < words) {
      to[i] = bytes ^ keys[kColumns * kRounds + column] ^ (encrypts ? 0 : from[i]);
    }
  }
}

extern "C" __global__ void decrypt_chained(const Tables* tables, const unsigned int* cipher,
                                           unsigned int* plain, int words) {
  run_cipher<false>(tables, cipher, plain, words);
}

// A block of the cipher.
union State {
  unsigned int columns[kColumns];
  unsigned char bytes[4 * kColumns];
};

// Four bytes at once, each times x in GF(2^8).
__device__ unsigned int doubled(unsigned int bytes) {
  return (bytes & 0x7f7f7f7f) << 1 ^ (bytes >> 7 & 0x01010101) * 0x1b;
}

// The column with each byte in the place of the one so many rows above.
__device__ unsigned int raised(unsigned int column, int rows) {
  return __funnelshift_r(column, column, 8 * rows);
}

// Mixing a column is 2a + 3b + c + d, in all rows. Its inverse, 14a + 11b + 13c + 9d, is the same
// of 5a + 4c.
__device__ unsigned int unmixed(unsigned int column) {
  column ^= doubled(doubled(column ^ raised(column, 2)));
  const unsigned int next = raised(column, 1);
  return doubled(column ^ next) ^ next ^ raised(column, 2) ^ raised(column, 3);
}

// The same on a grid that is resident as a whole: a thread decrypts one block of the cipher after
// the other, step by step. The states of two rounds lie in memory of its own, in turns.
extern "C" __global__ void decrypt_chained_resident(const PlainTables* tables, const uint4* cipher,
                                                    uint4* plain, int blocks) {
  const int threads = gridDim.x * blockDim.x;
  const unsigned int* const keys = tables->keys;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < blocks; i += threads) {
    State states[2];
    const uint4 in = cipher[i + 1];
    states[0].columns[0] = in.x ^ keys[0];
    states[0].columns[1] = in.y ^ keys[1];
    states[0].columns[2] = in.z ^ keys[2];
    states[0].columns[3] = in.w ^ keys[3];
    for (int round = 1; round <= kRounds; ++round) {
      const State& before = states[~round & 1];
      State& after = states[round & 1];
      for (int column = 0; column < kColumns; ++column) {
        unsigned int bytes = keys[kColumns * round + column];
        for (int row = 0; row < 4; ++row) {
          // Rows are shifted back to the right, each by one more column.
          const int from = (column - row) & 3;
          bytes ^= tables->inverse_box[before.bytes[4 * from + row]] << 8 * row;
        }
        // The last round does not mix columns.
        after.columns[column] = round < kRounds ? unmixed(bytes) : bytes;
      }
    }
    const State& out = states[kRounds & 1];
    const uint4 chained = cipher[i];
    plain[i] = make_uint4(out.columns[0] ^ chained.x, out.columns[1] ^ chained.y,
                          out.columns[2] ^ chained.z, out.columns[3] ^ chained.w);
  }
}

extern "C" __global__ void encrypt_blocks(const Tables* tables, const unsigned int* plain,
                                          unsigned int* cipher, int words) {
  run_cipher<true>(tables, plain, cipher, words);
}
