// AES-128 decryption of chained blocks (CBC): the equivalent inverse cipher of FIPS-197, by tables.
// Four threads share a block of the cipher, one a column, and exchange columns in shared memory.

#include "kernel.h"

using namespace aes_decrypt;

// `cipher` begins with the initial vector: what a block is combined with lies right before it.
extern "C" __global__ void decrypt_chained(const Tables* tables, const unsigned int* cipher,
                                           unsigned int* plain, int words) {
  __shared__ unsigned int mixed[4][kEntries];
  __shared__ unsigned int keys[kKeyWords];
  __shared__ unsigned char inverse_box[kEntries];
  // Two, taken in turns, so that one barrier a round is enough.
  __shared__ unsigned int states[2][kThreads];

  const int thread = threadIdx.x;
  for (int row = 0; row < 4; ++row) mixed[row][thread] = tables->mixed[row][thread];
  inverse_box[thread] = tables->inverse_box[thread];
  if (thread < kKeyWords) keys[thread] = tables->keys[thread];
  __syncthreads();

  const int column = thread % kColumns;
  // Where the inverse shift of rows finds this column's bytes of rows 1, 2 and 3.
  const int second = thread - column + (column + 3) % kColumns;
  const int third = thread - column + (column + 2) % kColumns;
  const int fourth = thread - column + (column + 1) % kColumns;

  for (int pass = 0; pass < kPasses; ++pass) {
    // Threads behind the end decrypt nothing, but come to the barriers.
    const int i = (blockIdx.x * kPasses + pass) * kThreads + thread;
    unsigned int state = keys[column];
    if (i < words) state ^= cipher[kColumns + i];

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
    const unsigned int bytes = inverse_box[state & 0xff] |
                               inverse_box[columns[second] >> 8 & 0xff] << 8 |
                               inverse_box[columns[third] >> 16 & 0xff] << 16 |
                               static_cast<unsigned int>(inverse_box[columns[fourth] >> 24]) << 24;
    if (i < words) plain[i] = bytes ^ keys[kColumns * kRounds + column] ^ cipher[i];
  }
}
