// What it would change to make one more point a centre. The host's search asks this again and
// again.

#include "kernel.h"

// A thread a point. One that the candidate would serve more cheaply than its centre does says so in
// `switches`, and how much that saves in the last column of its row of `saved`. Any other says in
// its centre's column how much more it would cost if the candidate had to take its centre's place.
// Rows are zero before. `coordinates` has all first coordinates, then all second ones.
extern "C" __global__ void try_candidate(const StreamPoint* points, const float* coordinates,
                                         const int* column_of_centre, int count, int dimensions,
                                         int candidate, int centres, float* saved,
                                         unsigned char* switches) {
  extern __shared__ float of_candidate[];
  for (int d = threadIdx.x; d < dimensions; d += blockDim.x) {
    of_candidate[d] = coordinates[d * count + candidate];
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;

  float square = 0.0f;
  // Copies of the loop's body would take registers from other blocks.
#pragma unroll 1
  for (int d = 0; d < dimensions; ++d) {
    const float difference = coordinates[d * count + i] - of_candidate[d];
    square += difference * difference;
  }
  const StreamPoint point = points[i];
  const float cost = point.weight * square;
  float* const row = saved + i * (centres + 1);
  if (cost < point.cost) {
    switches[i] = 1;
    row[centres] = point.cost - cost;
  } else {
    row[column_of_centre[point.centre]] = point.cost - cost;
  }
}
