// One time step of bodies that attract each other, all pairs: a thread has one body, and a block
// brings the others through shared memory in tiles of as many bodies as it has threads.

#include "kernel.h"

using namespace n_body;

struct Acceleration {
  float x;
  float y;
  float z;
};

// Softened, so that bodies that meet do not fly apart, and a body does not attract itself.
__device__ void attract(Acceleration& acceleration, const Body& own, const Body& other,
                        float softening_squared) {
  const float x = other.x - own.x;
  const float y = other.y - own.y;
  const float z = other.z - own.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + softening_squared);
  const float strength = other.mass * (inverse * inverse * inverse);
  acceleration.x += strength * x;
  acceleration.y += strength * y;
  acceleration.z += strength * z;
}

extern "C" __global__ void step_bodies(const Body* before, Body* after, Velocity* velocities,
                                       int count, Step step) {
  __shared__ Body tile[kThreads];

  const int index = blockIdx.x * kThreads + threadIdx.x;
  const Body nobody = {0.0f, 0.0f, 0.0f, 0.0f};
  Body own = index < count ? before[index] : nobody;
  Acceleration acceleration = {0.0f, 0.0f, 0.0f};
  for (int first = 0; first < count; first += kThreads) {
    const int other = first + threadIdx.x;
    tile[threadIdx.x] = other < count ? before[other] : nobody;
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < kThreads; ++i) {
      attract(acceleration, own, tile[i], step.softening_squared);
    }
    __syncthreads();  // The tile is done with.
  }
  if (index < count) {
    Velocity velocity = velocities[index];
    velocity.x = (velocity.x + acceleration.x * step.interval) * step.damping;
    velocity.y = (velocity.y + acceleration.y * step.interval) * step.damping;
    velocity.z = (velocity.z + acceleration.z * step.interval) * step.damping;
    velocities[index] = velocity;
    own.x += velocity.x * step.interval;
    own.y += velocity.y * step.interval;
    own.z += velocity.z * step.interval;
    after[index] = own;
  }
}
