#include "kernel.h"

// How far each place is from the one asked for, in degrees, as if the map were the world: good
// enough to say which are near.
extern "C" __global__ void distances_to(const Place* places, float* distances, int count,
                                        Place from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place = places[i];
  const float north = place.latitude - from.latitude;
  const float east = place.longitude - from.longitude;
  distances[i] = sqrtf(north * north + east * east);
}
