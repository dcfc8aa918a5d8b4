// Many small Mersenne Twisters side by side, and normal numbers from theirs.

#include "kernel.h"

namespace {

// Words of a twister's state, and how far on the one lies that is mixed in. The lowest bit of the
// oldest word is not part of the state, which thus has 607 bits.
constexpr int kWords = 19;
constexpr int kMiddle = 9;

}  // namespace

// A twister a thread, its state in the thread's own memory: too many words for registers, as an
// index runs around them. Number k of all twisters comes before number k + 1 of any, so that a warp
// writes one segment.
extern "C" __global__ void random_integers(const Twister* twisters, int count, int numbers_each,
                                           unsigned* numbers) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  const Twister twister = twisters[id];

  unsigned state[kWords];
  unsigned word = twister.seed;
  state[0] = word;
  for (int i = 1; i < kWords; ++i) {
    word = 1812433253u * (word ^ (word >> 30)) + i;
    state[i] = word;
  }

  int oldest = 0;
  int middle = kMiddle;
  unsigned oldest_word = state[0];
  for (int k = 0; k < numbers_each; ++k) {
    // Every word is read once as the second oldest, then kept for when it is the oldest.
    const int second = oldest + 1 < kWords ? oldest + 1 : 0;
    const unsigned second_word = state[second];
    const unsigned mixed = (oldest_word & ~1u) | (second_word & 1u);
    unsigned y = state[middle] ^ (mixed >> 1) ^ (mixed & 1u ? twister.matrix : 0u);
    state[oldest] = y;
    oldest = second;
    oldest_word = second_word;
    middle = middle + 1 < kWords ? middle + 1 : 0;

    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    y ^= y >> 18;
    numbers[k * count + id] = y;
  }
}

// Takes pairs of a twister's numbers to pairs of normal ones by Box and Muller's method, in place:
// afterwards the words hold floats.
extern "C" __global__ void box_muller(unsigned* numbers, int count, int numbers_each) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  for (int k = 0; k < numbers_each; k += 2) {
    unsigned* first = &numbers[k * count + id];
    unsigned* second = first + count;
    // In (0, 1] and [-pi, pi]: no logarithm of 0, and the fast sine and cosine at their best.
    const float uniform = (static_cast<float>(*first) + 1.0f) * 0x1p-32f;
    const float angle = static_cast<float>(static_cast<int>(*second)) * (3.14159265f * 0x1p-31f);
    const float radius = sqrtf(-2.0f * logf(uniform));
    *first = __float_as_uint(radius * __cosf(angle));
    *second = __float_as_uint(radius * __sinf(angle));
  }
}
