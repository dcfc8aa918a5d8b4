#pragma once

// What host and kernels agree on.

namespace particlefilter {

constexpr int kBlock = 512;

struct Point {
  int x, y;
};

/// The radius of the disc, and the number of pixels that are nearer to its middle.
constexpr int kRadius = 5;
constexpr int kDiscPixels = 69;

/// The expected grey levels around the object and on it, and the standard deviation of their noise.
constexpr int kBackground = 100;
constexpr int kForeground = 228;
constexpr float kDeviation = 20.0f;

/// The expected move of the object from frame to frame, and its standard deviation.
constexpr float kMoveX = 1.0f;
constexpr float kMoveY = -2.0f;
constexpr float kWanderX = 5.0f;
constexpr float kWanderY = 2.0f;

/// Random numbers of 31 bits, each computed from the one before it.
constexpr unsigned kFactor = 1103515245u;
constexpr unsigned kAddend = 12345u;
constexpr unsigned kMask = 0x7fffffffu;

/// The position of the object that each particle guesses: all x, then all y.
struct Particles {
  float* x;
  float* y;
};

}  // namespace particlefilter
