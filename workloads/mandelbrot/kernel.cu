// The set of Mandelbrot: for how many iterations of z = z * z + c from zero z stays within two of
// it, a colour for each number. Tiles differ very much in their work, so that blocks take the next
// one when they are done with theirs.

#include "kernel.h"

using mandelbrot::Colours;
using mandelbrot::kTile;
using mandelbrot::Place;
using mandelbrot::View;

// The host sets it to zero before each launch.
__device__ int tiles_taken;

// Calls `draw` for the thread's pixel of each tile that the block takes.
template <class Draw>
__device__ void take_tiles(const View& view, Draw draw) {
  __shared__ int next;
  const int across = (view.width + kTile - 1) / kTile;
  const int tiles = across * ((view.height + kTile - 1) / kTile);
  while (true) {
    if (threadIdx.x == 0 && threadIdx.y == 0) next = atomicAdd(&tiles_taken, 1);
    __syncthreads();
    const int tile = next;
    __syncthreads();  // All have read it.
    if (tile >= tiles) return;
    const int column = tile % across * kTile + threadIdx.x;
    const int row = tile / across * kTile + threadIdx.y;
    if (column < view.width && row < view.height) draw(column, row);
  }
}

__device__ int iterations(const View& view, int column, int row, Place place) {
  const float c_x = view.left + (column + place.across) * view.step;
  const float c_y = view.top + (row + place.down) * view.step;
  float x = 0.0f, y = 0.0f, x_squared = 0.0f, y_squared = 0.0f;
  int done = 0;
  while (done < view.most_iterations && x_squared + y_squared < 4.0f) {
    y = 2.0f * x * y + c_y;
    x = x_squared - y_squared + c_x;
    x_squared = x * x;
    y_squared = y * y;
    ++done;
  }
  return done;
}

// What never leaves is black.
__device__ unsigned int colour(int iterations, const View& view, const Colours& colours) {
  if (iterations == view.most_iterations) return 0xff000000u;
  return (iterations * colours.red & 0xff) | (iterations * colours.green & 0xff) << 8 |
         (iterations * colours.blue & 0xff) << 16 | 0xff000000u;
}

__device__ int channel(unsigned int colour, int shift) { return colour >> shift & 0xff; }

__device__ bool alike(unsigned int a, unsigned int b) {
  int difference = 0;
#pragma unroll
  for (int shift = 0; shift < 24; shift += 8) {
    difference += abs(channel(a, shift) - channel(b, shift));
  }
  return difference <= mandelbrot::kAlike;
}

__device__ bool is_like_its_neighbours(const unsigned int* picture, const View& view, int column,
                                       int row) {
  const unsigned int* const here = picture + row * view.width + column;
  const unsigned int own = *here;
  return (column == 0 || alike(own, here[-1])) &&
         (column == view.width - 1 || alike(own, here[1])) &&
         (row == 0 || alike(own, here[-view.width])) &&
         (row == view.height - 1 || alike(own, here[view.width]));
}

// The mean of `samples` of them, which `mean` is, and one more.
__device__ unsigned int blend(unsigned int mean, unsigned int sample, int samples) {
  const int count = samples + 1;
  unsigned int result = 0xff000000u;
#pragma unroll
  for (int shift = 0; shift < 24; shift += 8) {
    const int sum = channel(mean, shift) * samples + channel(sample, shift);
    result |= (sum + count / 2) / count << shift;
  }
  return result;
}

extern "C" __global__ void draw(unsigned int* picture, View view, Colours colours, Place place) {
  take_tiles(view, [&](int column, int row) {
    picture[row * view.width + column] =
        colour(iterations(view, column, row, place), view, colours);
  });
}

// Takes one more sample of the pixels that differ from a neighbour.
extern "C" __global__ void refine(const unsigned int* before, unsigned int* after, View view,
                                  Colours colours, Place place, int samples) {
  take_tiles(view, [&](int column, int row) {
    const int pixel = row * view.width + column;
    unsigned int mean = before[pixel];
    if (!is_like_its_neighbours(before, view, column, row)) {
      const int sampled = iterations(view, column, row, place);
      mean = blend(mean, colour(sampled, view, colours), samples);
    }
    after[pixel] = mean;
  });
}
