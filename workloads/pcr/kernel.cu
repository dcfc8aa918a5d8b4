// Parallel cyclic reduction of tridiagonal systems: one block a system, one thread an equation.

#include "kernel.h"

// Equation i of a system is lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = right[i]; the
// first one has no lower, the last no upper. Each step takes the neighbours a stride away out of an
// equation, by their own equations, so that the next neighbours are twice as far. At last an
// equation has one neighbour, half a system away.
extern "C" __global__ void solve_tridiagonal(const float* lowers, const float* diagonals,
                                             const float* uppers, const float* rights,
                                             float* solutions) {
  __shared__ float lower[kEquations];
  __shared__ float diagonal[kEquations];
  __shared__ float upper[kEquations];
  __shared__ float right[kEquations];

  const int i = threadIdx.x;
  const int global = blockIdx.x * kEquations + i;
  lower[i] = lowers[global];
  diagonal[i] = diagonals[global];
  upper[i] = uppers[global];
  right[i] = rights[global];
  __syncthreads();

#pragma unroll 1
  for (int stride = 1; stride < kEquations / 2; stride *= 2) {
    // Beyond the ends there is nothing to take out: the factor is 0.
    const int before = max(i - stride, 0);
    const int after = min(i + stride, kEquations - 1);
    const float factor_before = lower[i] / diagonal[before];
    const float factor_after = upper[i] / diagonal[after];
    const float new_diagonal =
        diagonal[i] - upper[before] * factor_before - lower[after] * factor_after;
    const float new_right = right[i] - right[before] * factor_before - right[after] * factor_after;
    const float new_lower = -lower[before] * factor_before;
    const float new_upper = -upper[after] * factor_after;
    __syncthreads();
    lower[i] = new_lower;
    diagonal[i] = new_diagonal;
    upper[i] = new_upper;
    right[i] = new_right;
    __syncthreads();
  }

  // Pairs of equations with two unknowns.
  if (i < kEquations / 2) {
    const int other = i + kEquations / 2;
    const float determinant = diagonal[i] * diagonal[other] - upper[i] * lower[other];
    solutions[global] = (diagonal[other] * right[i] - upper[i] * right[other]) / determinant;
    solutions[global + kEquations / 2] =
        (diagonal[i] * right[other] - lower[other] * right[i]) / determinant;
  }
}
