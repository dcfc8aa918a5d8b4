#pragma once

// What the host part and the kernel of n-body share.

namespace n_body {

constexpr int kThreads = 256;

struct alignas(16) Body {
  float x;
  float y;
  float z;
  float mass;
};

struct alignas(16) Velocity {
  float x;
  float y;
  float z;
  float unused;
};

/// The parameters of a time step.
struct Step {
  float interval;
  float softening_squared;
  float damping;  ///< The share of a velocity that remains.
};

}  // namespace n_body
