// How strongly electrons in the shells of a molecule's atoms repel each other: integrals over two
// electrons and four shells, by Rys' quadrature. Between s-shells it has one root, whose weight is
// Boys' function F0.

#include "kernel.h"

using namespace rpes;

namespace {

constexpr float kPi = 3.14159265f;

struct Point {
  float x, y, z;
};

__device__ float squared_distance(const Point& a, const Point& b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

__device__ float polynomial(const float (&coefficients)[8], float x) {
  float value = coefficients[7];
#pragma unroll
  for (int i = 6; i >= 0; --i) value = value * x + coefficients[i];
  return value;
}

// The integral of e^(-t u^2) for u from 0 to 1. Polynomials meet it at Chebyshev's points of each
// range, and are within 7e-8 of its value; further out the integral's tail is nothing.
__device__ float boys(float t) {
  if (t < 2.0f) {
    constexpr float near[8] = {0.746824145f,   -0.189472347f,    0.0501345508f,   -0.0111220609f,
                               0.00206687418f, -0.000327965914f, 4.64448094e-05f, -5.62420064e-06f};
    return polynomial(near, t - 1.0f);
  }
  if (t < 5.0f) {
    constexpr float middle[8] = {0.469847023f,    -0.0628070906f,  0.0113019077f,
                                 -0.0019719163f,  0.000312783261f, -4.4553075e-05f,
                                 6.00189469e-06f, -6.82824236e-07f};
    return polynomial(middle, t - 3.5f);
  }
  if (t < 9.5f) {
    constexpr float far[8] = {0.329090267f,    -0.0226469021f,   0.00231840299f,  -0.000258317072f,
                              2.90276712e-05f, -3.19932292e-06f, 3.70858885e-07f, -3.63999533e-08f};
    return polynomial(far, t - 7.25f);
  }
  if (t < 16.0f) {
    constexpr float farther[8] = {0.24819307f,      -0.00973294768f, 0.000572490215f,
                                  -3.73987641e-05f, 2.55198916e-06f, -1.79209266e-07f,
                                  1.42212579e-08f,  -1.00744479e-09f};
    return polynomial(farther, t - 12.75f);
  }
  return 0.5f * sqrtf(kPi / t);
}

// The product of two primitives is one around a middle between theirs, times how much they overlap.
struct Product {
  float exponent;
  Point middle;
  float coefficient;
  float decay;  // the overlap is e^-decay
};

__device__ Product product(const Shell& a, int i, const Shell& b, int j) {
  const float exponent = a.exponents[i] + b.exponents[j];
  const float share_a = a.exponents[i] / exponent;
  const float share_b = b.exponents[j] / exponent;
  return {
      exponent,
      {share_a * a.x + share_b * b.x, share_a * a.y + share_b * b.y, share_a * a.z + share_b * b.z},
      a.coefficients[i] * b.coefficients[j],
      share_a * b.exponents[j] * squared_distance({a.x, a.y, a.z}, {b.x, b.y, b.z})};
}

}  // namespace

// A block an integral, a thread one or two of its 81 quadruples of primitives.
extern "C" __global__ void repulsion(const Shell* shells, const Quadruple* quadruples,
                                     float* integrals) {
  __shared__ float partial[kThreads];

  const Quadruple quadruple = quadruples[blockIdx.x];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < kQuadruples; i += kThreads) {
    const int of_ab = i / (kPrimitives * kPrimitives);
    const int of_cd = i % (kPrimitives * kPrimitives);
    const Product ab =
        product(shells[quadruple.a], of_ab / kPrimitives, shells[quadruple.b], of_ab % kPrimitives);
    const Product cd =
        product(shells[quadruple.c], of_cd / kPrimitives, shells[quadruple.d], of_cd % kPrimitives);
    const float both = ab.exponent + cd.exponent;
    const float exponents = ab.exponent * cd.exponent;
    // 2 pi^(5/2)
    const float factor = 34.9868367f * ab.coefficient * cd.coefficient *
                         expf(-(ab.decay + cd.decay)) / (exponents * sqrtf(both));
    if (factor < kNegligible) continue;
    const float apart = squared_distance(ab.middle, cd.middle);
    sum += factor * boys(exponents / both * apart);
  }

  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) integrals[blockIdx.x] = partial[0];
}
