// Flow of a compressible gas without viscosity (Euler's equations) through a mesh of tetrahedra, by
// finite volumes: what flows through an element's faces changes its state.

#include "kernel.h"

using namespace cfd;

__constant__ FarField far_field;

namespace {

__device__ Vector operator+(const Vector& a, const Vector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__device__ Vector operator*(float factor, const Vector& v) {
  return {factor * v.x, factor * v.y, factor * v.z};
}
__device__ float dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ State load(const float* variables, int i, int elements) {
  return {variables[i],
          {variables[i + elements], variables[i + 2 * elements], variables[i + 3 * elements]},
          variables[i + 4 * elements]};
}

__device__ void store(float* variables, int i, int elements, const State& state) {
  variables[i] = state.density;
  variables[i + elements] = state.momentum.x;
  variables[i + 2 * elements] = state.momentum.y;
  variables[i + 3 * elements] = state.momentum.z;
  variables[i + 4 * elements] = state.energy;
}

/// What follows from a state.
struct Derived {
  Vector velocity;
  float pressure;
  float fastest;  ///< How fast anything spreads: with the gas, at the speed of sound.
};

__device__ Derived derive(const State& state) {
  Derived derived;
  derived.velocity = (1.0f / state.density) * state.momentum;
  const float square = dot(derived.velocity, derived.velocity);
  derived.pressure = (kGamma - 1.0f) * (state.energy - 0.5f * state.density * square);
  derived.fastest = sqrtf(square) + sqrtf(kGamma * derived.pressure / state.density);
  return derived;
}

__device__ Flux flux_of(const State& state, const Derived& derived) {
  const Vector& v = derived.velocity;
  const float p = derived.pressure;
  Flux flux;
  flux.momentum_x = {v.x * state.momentum.x + p, v.x * state.momentum.y, v.x * state.momentum.z};
  flux.momentum_y = {flux.momentum_x.y, v.y * state.momentum.y + p, v.y * state.momentum.z};
  flux.momentum_z = {flux.momentum_x.z, flux.momentum_y.z, v.z * state.momentum.z + p};
  flux.energy = (state.energy + p) * v;
  return flux;
}

// Adds what flows out through a face: the mean of both sides.
__device__ void add_flow(State& out, const Vector& normal, const State& here, const Flux& flux,
                         const State& there, const Flux& flux_there) {
  const Vector half = 0.5f * normal;
  out.density += dot(half, here.momentum + there.momentum);
  out.momentum.x += dot(half, flux.momentum_x + flux_there.momentum_x);
  out.momentum.y += dot(half, flux.momentum_y + flux_there.momentum_y);
  out.momentum.z += dot(half, flux.momentum_z + flux_there.momentum_z);
  out.energy += dot(half, flux.energy + flux_there.energy);
}

}  // namespace

// The gas is everywhere as it is far away.
extern "C" __global__ void initialize_variables(float* variables, int elements) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < elements) store(variables, i, elements, far_field.state);
}

// How long a step each element can take, by its volume: what spreads must not leave it.
extern "C" __global__ void compute_step_factor(const float* variables, const float* surfaces,
                                               float* step_factors, int elements) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= elements) return;
  const Derived derived = derive(load(variables, i, elements));
  step_factors[i] = kCourant / (surfaces[i] * derived.fastest);
}

extern "C" __global__ void compute_flux(Mesh mesh, const float* variables, float* fluxes) {
  const int elements = mesh.elements;
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= elements) return;
  const State here = load(variables, i, elements);
  const Derived derived = derive(here);
  const Flux flux = flux_of(here, derived);

  State out = {0.0f, {0.0f, 0.0f, 0.0f}, 0.0f};
#pragma unroll
  for (int face = 0; face < kFaces; ++face) {
    const int beyond = mesh.beyond[i + face * elements];
    const float* const normals = mesh.normals + i + face * elements;
    const Vector normal = {normals[0], normals[kFaces * elements], normals[2 * kFaces * elements]};
    if (beyond >= 0) {
      const State there = load(variables, beyond, elements);
      const Derived derived_there = derive(there);
      add_flow(out, normal, here, flux, there, flux_of(there, derived_there));
      // Artificial viscosity: without, the mean of both sides would let waves grow.
      const float area = sqrtf(dot(normal, normal));
      const float mixing = 0.25f * area * (derived.fastest + derived_there.fastest);
      out.density += mixing * (here.density - there.density);
      out.momentum = out.momentum + mixing * (here.momentum + -1.0f * there.momentum);
      out.energy += mixing * (here.energy - there.energy);
    } else if (beyond == kWall) {
      // Nothing flows through a wall: it only presses.
      out.momentum = out.momentum + derived.pressure * normal;
    } else {
      add_flow(out, normal, here, flux, far_field.state, far_field.flux);
    }
  }
  store(fluxes, i, elements, out);
}

// One of a step's stages: from the state before the step.
extern "C" __global__ void time_step(const float* before, float* variables,
                                     const float* step_factors, const float* fluxes, float share,
                                     int elements) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= elements) return;
  const float factor = share * step_factors[i];
  for (int variable = 0; variable < kVariables; ++variable) {
    const int at = i + variable * elements;
    variables[at] = before[at] - factor * fluxes[at];
  }
}
