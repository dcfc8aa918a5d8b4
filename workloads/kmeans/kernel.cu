// k-means: every point joins the nearest of the centres. The host moves the centres in between.

#include "kernel.h"

using namespace kmeans;

// All threads of a warp look at the same centre, which constant memory answers at once.
__constant__ float centres[kMaxCentres * kMaxFeatures];

// From a point behind the other to a feature behind the other: then neighbouring threads, which
// have neighbouring points, read neighbouring words in every round of every step.
extern "C" __global__ void sort_by_feature(const float* by_point, float* by_feature, int points,
                                           int features) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  for (int f = 0; f < features; ++f) by_feature[f * points + point] = by_point[point * features + f];
}

// Squared distances do, and a centre is given up as soon as it is farther than the nearest so far.
// `moved` counts the points that have another centre than before.
extern "C" __global__ void assign_points(const float* by_feature, int points, int features,
                                         int centre_count, int* membership, float* distance,
                                         int* moved) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  float nearest = __int_as_float(0x7f800000);  // Infinity.
  int nearest_centre = 0;
  for (int c = 0; c < centre_count; ++c) {
    float sum = 0;
    for (int f = 0; f < features && sum < nearest; ++f) {
      const float difference = by_feature[f * points + point] - centres[c * features + f];
      sum += difference * difference;
    }
    if (sum < nearest) {
      nearest = sum;
      nearest_centre = c;
    }
  }
  distance[point] = nearest;
  if (membership[point] != nearest_centre) {
    membership[point] = nearest_centre;
    atomicAdd(moved, 1);
  }
}
