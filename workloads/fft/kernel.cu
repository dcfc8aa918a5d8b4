// Fourier transforms by blocks of 64 threads. fft512 transforms 512 complex numbers in a block, 8 a
// thread in registers, in three passes of radix 8 with two exchanges in between. fft_lines
// transforms a line of 128 numbers in a block, 2 a thread, in seven passes of radix 2.

#include "kernel.h"

namespace {

// Distances of rows of 64 words in the two exchanges. With 64 itself the lanes of a warp would meet
// in the same banks: in the first exchange it reads 8 words from each of 4 rows, in the second it
// writes 4 to each of 8.
constexpr int kFirstRow = 64 + 8;
constexpr int kSecondRow = 64 + 4;

__device__ float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ float2 operator*(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ float2 operator*(float a, float2 b) { return {a * b.x, a * b.y}; }

// -i times a.
__device__ float2 turned(float2 a) { return {a.y, -a.x}; }

__device__ void butterfly(float2& a, float2& b) {
  const float2 difference = a - b;
  a = a + b;
  b = difference;
}

// Where transform8 leaves output k: at k with its bits reversed.
__device__ constexpr int place_of(int k) { return (k & 1) << 2 | (k & 2) | k >> 2; }

// The transform of 8 numbers in place, in three steps by halves.
__device__ void transform8(float2 (&a)[8]) {
  constexpr float kHalfRoot = 0.70710678f;
#pragma unroll
  for (int i = 0; i < 4; ++i) butterfly(a[i], a[i + 4]);
  a[5] = kHalfRoot * (a[5] + turned(a[5]));
  a[6] = turned(a[6]);
  a[7] = kHalfRoot * (turned(a[7]) - a[7]);
#pragma unroll
  for (int i = 0; i < 8; i += 4) {
    butterfly(a[i], a[i + 2]);
    butterfly(a[i + 1], a[i + 3]);
    a[i + 3] = turned(a[i + 3]);
    butterfly(a[i], a[i + 1]);
    butterfly(a[i + 2], a[i + 3]);
  }
}

// Turns output k by k times the angle.
__device__ void twiddle(float2 (&a)[8], float angle) {
#pragma unroll
  for (int k = 1; k < 8; ++k) {
    float2 factor;
    __sincosf(k * angle, &factor.y, &factor.x);
    a[place_of(k)] = a[place_of(k)] * factor;
  }
}

// Output k of this thread goes to `to + k * to_step`, its next input i comes from
// `from + i * from_step`. First the real parts, then the imaginary ones: half as much memory as for
// both lets more blocks onto an SM.
__device__ void exchange(float2 (&a)[8], float* words, int to, int to_step, int from,
                         int from_step) {
#pragma unroll
  for (int k = 0; k < 8; ++k) words[to + k * to_step] = a[place_of(k)].x;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; ++i) a[i].x = words[from + i * from_step];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; ++k) words[to + k * to_step] = a[place_of(k)].y;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; ++i) a[i].y = words[from + i * from_step];
}

}  // namespace

// With input n = 64 i + 8 j + l and output m = p + 8 q + 64 r, the first pass sums over i and
// leaves p in its place, the second sums over j and leaves q, the third over l and leaves r.
extern "C" __global__ void fft512(const float2* input, float2* output) {
  __shared__ float words[8 * kFirstRow];
  constexpr float kFullTurn = -6.2831853f;
  const int thread = threadIdx.x;
  const int high = thread >> 3;
  const int low = thread & 7;
  const int first = blockIdx.x * kPoints + thread;

  float2 a[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) a[i] = input[first + i * kThreads];

  // This thread has all i of one 8 j + l.
  transform8(a);
  twiddle(a, thread * (kFullTurn / kPoints));
  exchange(a, words, thread, kFirstRow, high * kFirstRow + low, 8);

  // All j of p = high, l = low.
  transform8(a);
  twiddle(a, low * (kFullTurn / 64));
  __syncthreads();  // The first exchange's words have been read.
  exchange(a, words, low * kSecondRow + high, 8, thread, kSecondRow);

  // All l of one p + 8 q.
  transform8(a);
#pragma unroll
  for (int k = 0; k < 8; ++k) output[first + k * kThreads] = a[place_of(k)];
}

// Transforms the line `blockIdx.x` of the square `blockIdx.y`, and writes it as a column. Two
// launches thus transform lines and columns. Each pass joins pairs of transforms of `length`
// numbers; their outputs are in order, so that the last pass leaves the whole line in order.
extern "C" __global__ void fft_lines(const float2* input, float2* output) {
  __shared__ float2 numbers[kSide];
  constexpr float kHalfTurn = -3.1415927f;
  const int thread = threadIdx.x;
  const int square = blockIdx.y * kSide * kSide;
  const int line = square + blockIdx.x * kSide;

  float2 even = input[line + thread];
  float2 odd = input[line + thread + kThreads];
#pragma unroll
  for (int length = 1; length < kSide; length *= 2) {
    const int low = thread & (length - 1);
    if (length > 1) {
      float2 factor;
      __sincosf(low * (kHalfTurn / length), &factor.y, &factor.x);
      odd = odd * factor;
    }
    butterfly(even, odd);
    if (length == kThreads) break;
    numbers[2 * thread - low] = even;
    numbers[2 * thread - low + length] = odd;
    __syncthreads();
    even = numbers[thread];
    odd = numbers[thread + kThreads];
    __syncthreads();
  }
  output[square + thread * kSide + blockIdx.x] = even;
  output[square + (thread + kThreads) * kSide + blockIdx.x] = odd;
}
