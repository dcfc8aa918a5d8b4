#pragma once

// What host and kernels agree on.

namespace particlefilter {

constexpr int kBlock = 512;

struct Point {
  int x, y;
};

/// Of the disc that is looked for: pixels nearer to its middle than its radius.
constexpr int kRadius = 5;
constexpr int kDiscPixels = 69;

/// Grey levels around the object and on it, and what they are expected to be off by.
constexpr int kBackground = 100;
constexpr int kForeground = 228;
constexpr float kDeviation = 20.0f;

/// From frame to frame the object is expected to move so far, more or less.
constexpr float kMoveX = 1.0f;
constexpr float kMoveY = -2.0f;
constexpr float kWanderX = 5.0f;
constexpr float kWanderY = 2.0f;

/// Random numbers: of 31 bits, each from the one before it.
constexpr unsigned kFactor = 1103515245u;
constexpr unsigned kAddend = 12345u;
constexpr unsigned kMask = 0x7fffffffu;

/// Where each particle supposes the object; all x, all y.
struct Particles {
  float* x;
  float* y;
};

}  // namespace particlefilter
