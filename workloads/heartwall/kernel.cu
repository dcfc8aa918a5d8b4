// Tracks points on the walls of a heart through the frames of an ultrasound recording: a block a
// point. In each frame the point's template is compared with all places that are near to where the
// point was, by normalised cross-correlation; the point moves to the best.

#include "kernel.h"

__device__ int level_at(const unsigned char* frame, int width, int height, int x, int y) {
  x = min(max(x, 0), width - 1);
  y = min(max(y, 0), height - 1);
  return frame[y * width + x] - kMiddleGrey;
}

// The templates, from the first frame.
extern "C" __global__ void heartwall_cut(const unsigned char* frame, int width, int height,
                                         const Point* points, int* templates, int radius) {
  const Point point = points[blockIdx.x];
  const int side = 2 * radius + 1, area = side * side;
  for (int i = threadIdx.x; i < area; i += blockDim.x) {
    const int x = point.x - radius + i % side;
    const int y = point.y - radius + i / side;
    templates[blockIdx.x * area + i] = level_at(frame, width, height, x, y);
  }
}

// One more column than a table of sums needs: an odd one, so that threads that walk along rows do
// not meet in the banks of shared memory.
constexpr int kSumsRow = kWindowSide + 2;
constexpr int kSumsArea = (kWindowSide + 1) * kSumsRow;

// The sum over a template's square, from the sums over the rectangles to its corners.
__device__ int square_sum(const int* sums, int x, int y) {
  const int* top = sums + y * kSumsRow + x;
  const int* bottom = top + kTemplateSide * kSumsRow;
  return bottom[kTemplateSide] - bottom[0] - top[kTemplateSide] + top[0];
}

extern "C" __global__ void heartwall_track(const unsigned char* frame, int width, int height,
                                           const Point* before, Point* after, int* templates,
                                           float* likeness) {
  __shared__ int window[kWindowArea];
  __shared__ int pattern[kTemplateArea];
  // Only one of these is in use at a time. Side by side they would exceed the 16 KB of shared memory
  // that GPUs had when Rodinia's version of the program was written.
  __shared__ union {
    int partial[kTrackThreads];
    int sums[2][kSumsArea];  // of levels, and of their squares
    struct {
      float scores[kTrackThreads];
      int places[kTrackThreads];
    } best;
  } scratch;
  int* const partial = scratch.partial;
  auto& sums = scratch.sums;
  auto& [scores, places] = scratch.best;

  const int t = threadIdx.x;
  const Point point = before[blockIdx.x];
  const int left = point.x - kReach - kTemplateRadius, top = point.y - kReach - kTemplateRadius;
  int* own_template = templates + blockIdx.x * kTemplateArea;

  for (int i = t; i < kWindowArea; i += kTrackThreads) {
    window[i] = level_at(frame, width, height, left + i % kWindowSide, top + i / kWindowSide);
  }
  if (t < kTemplateArea) pattern[t] = own_template[t];
  __syncthreads();

  // The template's sum, by halves.
  partial[t] = t < kTemplateArea ? pattern[t] : 0;
  __syncthreads();
  for (int reach = kTrackThreads / 2; reach > 0; reach /= 2) {
    if (t < reach) partial[t] += partial[t + reach];
    __syncthreads();
  }
  const int pattern_sum = partial[0];
  __syncthreads();

  // The tables' first row and column are nothing.
  if (t <= kWindowSide) {
    for (int table = 0; table < 2; ++table) {
      sums[table][t] = 0;
      sums[table][t * kSumsRow] = 0;
    }
  }
  // Sums along each row, one thread a row and table, then down each column. The two tables belong
  // to different warps.
  const int table = t / 64, line = t % 64;
  const bool sums_up = table < 2 && line < kWindowSide;
  if (sums_up) {
    int sum = 0;
    for (int x = 0; x < kWindowSide; ++x) {
      const int level = window[line * kWindowSide + x];
      sum += table == 0 ? level : level * level;
      sums[table][(line + 1) * kSumsRow + x + 1] = sum;
    }
  }
  __syncthreads();
  if (sums_up) {
    int sum = 0;
    for (int y = 1; y <= kWindowSide; ++y) {
      sum += sums[table][y * kSumsRow + line + 1];
      sums[table][y * kSumsRow + line + 1] = sum;
    }
  }
  __syncthreads();

  // One place a thread. What is the same for all places is left out of the score.
  float score = -3.4e38f;
  if (t < kPlaces) {
    const int x = t % kPlacesSide, y = t / kPlacesSide;
    int products = 0;
    for (int row = 0; row < kTemplateSide; ++row) {
      const int* levels = window + (y + row) * kWindowSide + x;
      const int* wanted = pattern + row * kTemplateSide;
#pragma unroll
      for (int column = 0; column < kTemplateSide; ++column) {
        products += levels[column] * wanted[column];
      }
    }
    const int sum = square_sum(sums[0], x, y), squares = square_sum(sums[1], x, y);
    const int variance = kTemplateArea * squares - sum * sum;
    // Where all is of one grey there is nothing to see.
    if (variance > 0) {
      const int covariance = kTemplateArea * products - sum * pattern_sum;
      score = static_cast<float>(covariance) / sqrtf(static_cast<float>(variance));
    }
  }
  __syncthreads();  // All sums have been read.
  scores[t] = score;
  places[t] = t;
  __syncthreads();

  // The best; of equals the first.
  for (int reach = kTrackThreads / 2; reach > 0; reach /= 2) {
    if (t < reach) {
      const float other = scores[t + reach];
      if (other > scores[t] || (other == scores[t] && places[t + reach] < places[t])) {
        scores[t] = other;
        places[t] = places[t + reach];
      }
    }
    __syncthreads();
  }
  const int best_x = places[0] % kPlacesSide, best_y = places[0] / kPlacesSide;
  if (t == 0) {
    after[blockIdx.x] = {point.x + best_x - kReach, point.y + best_y - kReach};
    likeness[blockIdx.x] = scores[0];
  }

  // The heart changes its looks: the template follows, slowly.
  if (t < kTemplateArea) {
    const int level =
        window[(best_y + t / kTemplateSide) * kWindowSide + best_x + t % kTemplateSide];
    own_template[t] = (kKeptEighths * pattern[t] + (8 - kKeptEighths) * level + 4) >> 3;
  }
}
