#pragma once

// The scene of the demonstration; the kernel and the host's tracer both use it.

namespace scene {

struct Sphere {
  float x, y, z, radius;
  float red, green, blue;
  float mirror;  // 0: matt, 1: a perfect mirror
};

constexpr int kSpheres = 7;

// The floor is the plane y = 0. The eye looks along +z from (0, 1.3, -4).
constexpr Sphere kScene[kSpheres] = {
    {0.00f, 1.00f, 1.20f, 1.00f, 0.95f, 0.95f, 0.95f, 0.75f},
    {-1.75f, 0.65f, 0.40f, 0.65f, 0.90f, 0.25f, 0.20f, 0.20f},
    {1.70f, 0.70f, 0.30f, 0.70f, 0.20f, 0.45f, 0.90f, 0.25f},
    {-0.75f, 0.30f, -0.70f, 0.30f, 0.95f, 0.75f, 0.20f, 0.10f},
    {0.55f, 0.25f, -1.00f, 0.25f, 0.30f, 0.80f, 0.35f, 0.10f},
    {-2.90f, 1.10f, 2.90f, 1.10f, 0.55f, 0.35f, 0.80f, 0.30f},
    {2.95f, 1.00f, 2.60f, 1.00f, 0.90f, 0.55f, 0.25f, 0.30f},
};

constexpr float kLightX = -4.0f, kLightY = 6.0f, kLightZ = -5.0f;
constexpr float kEyeX = 0.0f, kEyeY = 1.3f, kEyeZ = -4.0f;
constexpr int kMostBounces = 4;

}  // namespace scene
