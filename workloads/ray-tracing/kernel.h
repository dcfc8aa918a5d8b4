#pragma once

// The scene, as host and kernel both see it.

namespace ray_tracing {

constexpr int kMostBalls = 48;
/// The bounces of a pixel's ray at most, after the first hit.
constexpr int kMostBounces = 5;
/// A ray that carries less than this of its pixel's light is not followed.
constexpr float kLeastShare = 0.02f;
/// Nearer hits are ignored, because a ray would meet the ball that it starts from.
constexpr float kNear = 2e-3f;
/// The floor fades into the horizon. At this distance, haze hides half of it.
constexpr float kHaze = 40.0f;
constexpr float kTile = 1.5f;
constexpr float kAmbient = 0.16f;
constexpr float kFloorMirror = 0.12f;

struct Point {
  float x, y, z;
};

struct Ball {
  Point centre;
  float radius;
};

struct Paint {
  Point colour;
  float mirror;
  float shine;
};

/// Pixel (column, row) looks along corner + column * right + row * down.
struct Camera {
  Point eye, corner, right, down;
};

struct Scene {
  Ball balls[kMostBalls];
  Paint paints[kMostBalls];
  Camera camera;
  Point light;
  int count;
};

}  // namespace ray_tracing
