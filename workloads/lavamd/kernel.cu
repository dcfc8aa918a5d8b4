// Forces between particles that are near: space is in boxes as wide as the forces reach, so that a
// particle feels those in its own box and in the boxes around it.

#include "kernel.h"

using namespace lavamd;

// A block has a box, a thread one of its particles. Of a particle with charge q the potential at
// distance r is q exp(-a r^2), where a is `steepness`.
extern "C" __global__ void particle_forces(const Box* boxes, const Particle* particles,
                                           const double* charges, Force* forces, int in_a_box,
                                           double steepness) {
  __shared__ Particle home[kMostParticles];
  __shared__ Particle others[kMostParticles];
  __shared__ double others_charges[kMostParticles];
  const int thread = threadIdx.x;
  const int first = blockIdx.x * in_a_box;
  const Box& box = boxes[blockIdx.x];

  if (thread < in_a_box) home[thread] = particles[first + thread];
  Force force = {0.0, 0.0, 0.0, 0.0};
  for (int neighbour = 0; neighbour < box.count; ++neighbour) {
    const int first_other = box.neighbours[neighbour] * in_a_box;
    if (thread < in_a_box) {
      others[thread] = particles[first_other + thread];
      others_charges[thread] = charges[first_other + thread];
    }
    __syncthreads();
    if (thread < in_a_box) {
      const Particle here = home[thread];
      for (int i = 0; i < in_a_box; ++i) {
        const Particle& there = others[i];
        const double product = here.x * there.x + here.y * there.y + here.z * there.z;
        const double half_square = here.half_square + there.half_square - product;
        const double potential = others_charges[i] * exp(-2.0 * steepness * half_square);
        const double pull = 2.0 * steepness * potential;
        force.potential += potential;
        force.x += pull * (here.x - there.x);
        force.y += pull * (here.y - there.y);
        force.z += pull * (here.z - there.z);
      }
    }
    __syncthreads();
  }
  if (thread < in_a_box) forces[first + thread] = force;
}
