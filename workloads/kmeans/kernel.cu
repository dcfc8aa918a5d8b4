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

struct Nearest {
  int centre;
  float distance;  // Squared, which does as well.
};

// A point in the order that sort_by_feature gives them.
struct SortedPoint {
  const float* by_feature;
  int points, point;
  __device__ float operator[](int f) const { return by_feature[f * points + point]; }
};

// A centre is given up as soon as it is farther than the nearest so far.
template <class Point>
__device__ Nearest nearest_to(const Point& point, const float* centres, int features,
                              int centre_count) {
  float nearest = __int_as_float(0x7f800000);  // Infinity.
  int nearest_centre = 0;
  for (int c = 0; c < centre_count; ++c) {
    float sum = 0;
    for (int f = 0; f < features && sum < nearest; ++f) {
      const float difference = point[f] - centres[c * features + f];
      sum += difference * difference;
    }
    if (sum < nearest) {
      nearest = sum;
      nearest_centre = c;
    }
  }
  return {nearest_centre, nearest};
}

// `moved` counts the points that have another centre than before.
extern "C" __global__ void assign_points(const float* by_feature, int points, int features,
                                         int centre_count, int* membership, float* distance,
                                         int* moved) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  const Nearest nearest =
      nearest_to(SortedPoint{by_feature, points, point}, centres, features, centre_count);
  distance[point] = nearest.distance;
  if (membership[point] != nearest.centre) {
    membership[point] = nearest.centre;
    atomicAdd(moved, 1);
  }
}

// The same two on a grid that is resident as a whole: a thread goes from point to point. It keeps
// the point's features, which it needs for every centre, in memory of its own: those of all threads
// do not fit into the cache, which the centres do.
extern "C" __global__ void sort_by_feature_resident(const float* by_point, float* by_feature,
                                                    int points, int features) {
  const int threads = gridDim.x * blockDim.x;
  for (int point = blockIdx.x * blockDim.x + threadIdx.x; point < points; point += threads) {
    for (int f = 0; f < features; ++f) {
      by_feature[f * points + point] = by_point[point * features + f];
    }
  }
}

extern "C" __global__ void assign_points_resident(const float* by_feature,
                                                  const float* centres, int points, int features,
                                                  int centre_count, int* membership,
                                                  float* distance, int* moved) {
  const int threads = gridDim.x * blockDim.x;
  int moved_here = 0;
  for (int point = blockIdx.x * blockDim.x + threadIdx.x; point < points; point += threads) {
    float own[kMaxFeatures];
    for (int f = 0; f < features; ++f) own[f] = by_feature[f * points + point];
    const Nearest nearest = nearest_to(own, centres, features, centre_count);
    distance[point] = nearest.distance;
    if (membership[point] != nearest.centre) {
      membership[point] = nearest.centre;
      ++moved_here;
    }
  }
  if (moved_here > 0) atomicAdd(moved, moved_here);
}

// assign_points, but every centre's distance is computed from all features, as in Rodinia's
// program: no branch depends on what was loaded. The host counts the points that move. CUDA 4.0
// unrolled only loops with a known number of iterations, by its programming guide.
extern "C" __global__ void assign_points_fully(const float* by_feature, int points, int features,
                                               int centre_count, int* membership,
                                               float* distance) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  float nearest = __int_as_float(0x7f800000);  // Infinity.
  int nearest_centre = 0;
#pragma unroll 1
  for (int c = 0; c < centre_count; ++c) {
    float sum = 0;
#pragma unroll 1
    for (int f = 0; f < features; ++f) {
      const float difference = by_feature[f * points + point] - centres[c * features + f];
      sum += difference * difference;
    }
    nearest_centre = sum < nearest ? c : nearest_centre;
    nearest = fminf(nearest, sum);
  }
  distance[point] = nearest;
  membership[point] = nearest_centre;
}
