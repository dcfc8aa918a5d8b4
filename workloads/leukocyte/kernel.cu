// White blood cells in a video: where they are, by how brightness changes across circles, and for
// each cell a field that leads to its edge from further away.

#include "kernel.h"

using namespace leukocyte;

__constant__ CirclePoint circle_points[kMostCircles * kPoints];
__constant__ unsigned char disk[kDiskSide * kDiskSide];

// How much like a cell's middle a pixel is: the gradient's inverse coefficient of variation
// (GICOV), squared, of the circle that has most of it. Pixels less than the margin from the edge
// are left out.
extern "C" __global__ void cell_scores(cudaTextureObject_t gradient_x,
                                       cudaTextureObject_t gradient_y, float* scores, int width,
                                       int height, int circles) {
  const int pixel = blockIdx.x * kScoreThreads + threadIdx.x;
  if (pixel >= width * height) return;
  const int middle_x = pixel % width + kMargin;
  const int middle_y = pixel / width + kMargin;

  float best = 0.0f;
  for (int circle = 0; circle < circles; ++circle) {
    float sum = 0.0f;
    float squares = 0.0f;
    for (int i = 0; i < kPoints; ++i) {
      const CirclePoint point = circle_points[circle * kPoints + i];
      const float x = middle_x + point.column + 0.5f;
      const float y = middle_y + point.row + 0.5f;
      const float outwards = tex2D<float>(gradient_x, x, y) * point.cosine +
                             tex2D<float>(gradient_y, x, y) * point.sine;
      sum += outwards;
      squares += outwards * outwards;
    }
    const float mean = sum / kPoints;
    const float variance = squares / kPoints - mean * mean;
    best = fmaxf(best, mean * mean / variance);
  }
  scores[pixel] = best;
}

// The greatest score in a disk around each pixel: a pixel that has it is a cell's middle.
extern "C" __global__ void dilate(const float* scores, float* dilated, int width, int height) {
  const int pixel = blockIdx.x * kDilateThreads + threadIdx.x;
  if (pixel >= width * height) return;
  const int middle_x = pixel % width;
  const int middle_y = pixel / width;

  float greatest = 0.0f;
  for (int row = 0; row < kDiskSide; ++row) {
    const int y = middle_y + row - kDiskRadius;
    if (y < 0 || y >= height) continue;
    for (int column = 0; column < kDiskSide; ++column) {
      const int x = middle_x + column - kDiskRadius;
      if (x >= 0 && x < width && disk[row * kDiskSide + column]) {
        greatest = fmaxf(greatest, scores[y * width + x]);
      }
    }
  }
  dilated[pixel] = greatest;
}

namespace {

// What comes from a neighbour: all where the field grows in the direction that cells move in,
// little where it falls. `along` is the step to the neighbour by that direction.
__device__ float inflow(float difference, float along) {
  const float slope = difference * along * (1.0f / kSoftness);
  return difference * (0.5f + 0.5f * __fdividef(slope, 1.0f + fabsf(slope)));
}

// A pixel of the field after an iteration. Beyond its edge the window goes on.
__device__ float flow(const float* field, int i, float edge, float direction_x, float direction_y) {
  const int row = i / kWindowWidth;
  const int column = i % kWindowWidth;
  const float* const middle = field + i;
  const int left = column > 0 ? -1 : 0;
  const int right = column < kWindowWidth - 1 ? 1 : 0;
  const float* const above = row > 0 ? middle - kWindowWidth : middle;
  const float* const below = row < kWindowHeight - 1 ? middle + kWindowWidth : middle;
  const float rising = direction_x + direction_y;
  const float falling = direction_x - direction_y;
  const float here = *middle;
  float sum = inflow(middle[right] - here, direction_x);
  sum += inflow(middle[left] - here, -direction_x);
  sum += inflow(below[0] - here, direction_y);
  sum += inflow(above[0] - here, -direction_y);
  sum += inflow(below[right] - here, rising);
  sum += inflow(above[left] - here, -rising);
  sum += inflow(above[right] - here, falling);
  sum += inflow(below[left] - here, -falling);
  return here + kStep * (kSmoothing * sum - edge * (here - edge));
}

// The sum over a block's threads, for all of them.
__device__ float block_sum(float* partial, float value) {
  const int t = threadIdx.x;
  partial[t] = value;
  __syncthreads();
  // Of 320 threads 64 are more than a power of two.
  if (t < kFlowThreads - 256) partial[t] += partial[t + 256];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  return partial[0];
}

}  // namespace

// The motion gradient vector flow around a cell, one block a cell: edges spread out over the
// window, mostly in the direction of motion, until the field changes little any more.
extern "C" __global__ void vector_flow(const float* edges, float* fields, int* iterations,
                                       float direction_x, float direction_y, float cutoff,
                                       int most_iterations) {
  __shared__ float field[kWindowArea];
  __shared__ float partial[kFlowThreads];

  edges += blockIdx.x * kWindowArea;
  fields += blockIdx.x * kWindowArea;
  for (int i = threadIdx.x; i < kWindowArea; i += kFlowThreads) field[i] = edges[i];
  __syncthreads();

  int iteration = 0;
  float change = 0.0f;
  do {
    // A part of the window after the other. New values are written a part later: rows are shorter
    // than parts, so that nobody needs what was there before any more.
    float last = 0.0f;
    change = 0.0f;
#pragma unroll 1
    for (int first = 0; first < kWindowArea; first += kFlowThreads) {
      const int i = first + threadIdx.x;
      float next = 0.0f;
      if (i < kWindowArea) {
        next = flow(field, i, edges[i], direction_x, direction_y);
        change += fabsf(next - field[i]);
      }
      __syncthreads();
      if (first > 0) field[i - kFlowThreads] = last;
      last = next;
    }
    // The sum has barriers: all have read what the last part's values replace.
    change = block_sum(partial, change) / kWindowArea;
    const int i = kLastPart + threadIdx.x;
    if (i < kWindowArea) field[i] = last;
    __syncthreads();
    ++iteration;
  } while (change >= cutoff && iteration < most_iterations);

  for (int i = threadIdx.x; i < kWindowArea; i += kFlowThreads) fields[i] = field[i];
  if (threadIdx.x == 0) iterations[blockIdx.x] = iteration;
}
