// K-means: nearest centre of each point, and the sums for the next centres.
extern "C" __global__ void kmeans_assign(const float* features, const float* centres,
                                         int* membership, int points, int clusters,
                                         int dimensions, int* changed) {
  int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  int best = -1;
  float best_distance = 3.402823466e38f;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    float distance = 0.0f;
    for (int d = 0; d < dimensions; ++d) {
      float difference = features[d * points + point] - centres[cluster * dimensions + d];
      distance += difference * difference;
    }
    if (distance < best_distance) {
      best_distance = distance;
      best = cluster;
    }
  }
  if (membership[point] != best) {
    membership[point] = best;
    atomicAdd(changed, 1);
  }
}

extern "C" __global__ void kmeans_accumulate(const float* features, const int* membership,
                                             float* sums, int* counts, int points,
                                             int dimensions) {
  int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= points) return;
  int cluster = membership[point];
  atomicAdd(&counts[cluster], 1);
  for (int d = 0; d < dimensions; ++d)
    atomicAdd(&sums[cluster * dimensions + d], features[d * points + point]);
}
