// The reversible wavelet transform of JPEG 2000, in whole numbers (5/3, by lifting). Along a line,
// every sample at an odd place becomes its difference from the mean of its two neighbours, and
// every one at an even place takes on a quarter of the two differences beside it. Beyond its ends a
// line is mirrored.

#include "kernel.h"

using namespace dwt2d;

__device__ int difference(int odd, int even_before, int even_after) {
  return odd - ((even_before + even_after) >> 1);
}

__device__ int average(int even, int before, int after) {
  return even + ((before + after + 2) >> 2);
}

// An image's bytes, red, green and blue in turn, as a plane of each, around 0.
extern "C" __global__ void split_channels(const unsigned char* image, int* red, int* green,
                                          int* blue, int pixels) {
  // Read as they lie, so that a warp's bytes are side by side.
  __shared__ unsigned char bytes[kChannels * kSplitBlock];
  const int first = blockIdx.x * kSplitBlock;
#pragma unroll
  for (int part = 0; part < kChannels; ++part) {
    const int byte = part * kSplitBlock + threadIdx.x;
    if (kChannels * first + byte < kChannels * pixels)
      bytes[byte] = image[kChannels * first + byte];
  }
  __syncthreads();
  const int pixel = first + threadIdx.x;
  if (pixel >= pixels) return;
  red[pixel] = bytes[kChannels * threadIdx.x] - 128;
  green[pixel] = bytes[kChannels * threadIdx.x + 1] - 128;
  blue[pixel] = bytes[kChannels * threadIdx.x + 2] - 128;
}

namespace {

// A window's columns at even places, from the second before it to the one after it, and those at
// odd places, from the one before it: each apart, so that a warp meets in no bank.
constexpr int kPairs = kColumns / 2;
constexpr int kRim = 3;

struct Row {
  int even[kPairs + 2];
  int odd[kPairs + 1];
};
constexpr int kRowSize = sizeof(Row) / sizeof(int);

__device__ int mirrored(int place, int length) {
  place = abs(place);
  // Below 0 only where nothing is stored of what comes of it.
  return max(length - 1 - abs(length - 1 - place), 0);
}

// Loads so many rows of the image and transforms each; `window` can be read once this returns.
template <int rows>
__device__ void transform_rows(Row* window, const int* image, int width, int height,
                               int first_column, int first_row) {
  const int thread = threadIdx.x;
  const int column = mirrored(first_column - 2 + thread, width);
  const int rim_column = mirrored(first_column - 2 + kColumns + thread, width);
  int* const to = thread % 2 == 0 ? &window->even[thread / 2] : &window->odd[thread / 2];
#pragma unroll 4
  for (int row = 0; row < rows; ++row) {
    const int* const line = image + mirrored(first_row + row, height) * width;
    to[row * kRowSize] = line[column];
    if (thread < kRim) to[row * kRowSize + kPairs] = line[rim_column];
  }
  __syncthreads();

  const int pair = thread % kPairs + 1;
#pragma unroll
  for (int row = thread / kPairs; row < rows; row += kColumns / kPairs) {
    Row& line = window[row];
    line.odd[pair] = difference(line.odd[pair], line.even[pair], line.even[pair + 1]);
  }
  if (thread < rows) {
    Row& line = window[thread];
    line.odd[0] = difference(line.odd[0], line.even[0], line.even[1]);
  }
  __syncthreads();
#pragma unroll
  for (int row = thread / kPairs; row < rows; row += kColumns / kPairs) {
    Row& line = window[row];
    line.even[pair] = average(line.even[pair], line.odd[pair - 1], line.odd[pair]);
  }
  __syncthreads();
}

}  // namespace

// One level of the transform: first along rows, then along columns. What is low in both directions
// goes to `low`, the next level's image; the rest to its quarter of `bands`, which is as large as
// the image of the first level. A block goes down `windows` windows.
extern "C" __global__ void forward_53(const int* image, int width, int height, int* low,
                                      int low_stride, int* bands, int stride, int windows) {
  __shared__ Row window[kRows];
  const int first_column = blockIdx.x * kColumns;
  int row = blockIdx.y * windows * kRows;

  // Half of the threads have a column of averages, half one of differences.
  const int pair = threadIdx.x % kPairs;
  const bool has_differences = threadIdx.x >= kPairs;
  const int* const column = has_differences ? &window->odd[pair + 1] : &window->even[pair + 1];

  const int averages_across = (width + 1) / 2;
  const int averages_down = (height + 1) / 2;
  const int to_column = first_column / 2 + pair;
  const bool inside = to_column < (has_differences ? width / 2 : averages_across);
  int* const averages = has_differences ? bands + averages_across + to_column : low + to_column;
  const int averages_stride = has_differences ? stride : low_stride;
  int* const differences =
      bands + averages_down * stride + (has_differences ? averages_across : 0) + to_column;

  transform_rows<3>(window, image, width, height, first_column, row - 2);
  int even = column[2 * kRowSize];
  int before = difference(column[kRowSize], column[0], even);
  for (; windows > 0 && row < height; --windows) {
    __syncthreads();
    transform_rows<kRows>(window, image, width, height, first_column, row + 1);
#pragma unroll
    for (int i = 0; i < kRows; i += 2, row += 2) {
      const int even_after = column[(i + 1) * kRowSize];
      const int after = difference(column[i * kRowSize], even, even_after);
      if (inside && row < height)
        averages[row / 2 * averages_stride] = average(even, before, after);
      if (inside && row + 1 < height) differences[row / 2 * stride] = after;
      even = even_after;
      before = after;
    }
  }
}
