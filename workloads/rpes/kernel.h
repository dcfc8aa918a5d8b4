#pragma once

// What host and kernel agree on.

namespace rpes {

constexpr int kThreads = 64;

/// An s-shell is a sum of three Gaussian functions around one middle.
constexpr int kPrimitives = 3;
constexpr int kQuadruples = kPrimitives * kPrimitives * kPrimitives * kPrimitives;

/// Terms that are certain to be smaller are left out.
constexpr float kNegligible = 1e-8f;

/// In bohrs; a primitive is coefficient * e^(-exponent * distance^2).
struct Shell {
  float x, y, z;
  float exponents[kPrimitives];
  float coefficients[kPrimitives];
};

/// The integral (ab|cd): electrons in shells a and b repel those in c and d.
struct Quadruple {
  int a, b, c, d;
};

}  // namespace rpes
