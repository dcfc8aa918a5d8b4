// A small ray tracer: one thread per pixel. The number of bounces differs between rays, so that the
// threads of a warp diverge and reconverge.

#include "scene.h"

namespace {

struct Vector {
  float x, y, z;
};

__device__ Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ Vector operator*(Vector a, float s) { return {a.x * s, a.y * s, a.z * s}; }
__device__ float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ Vector unit(Vector a) { return a * rsqrtf(dot(a, a)); }

constexpr float kFar = 1e9f;
constexpr float kNear = 1e-3f;

// The distance to the sphere along a ray, or kFar.
__device__ float distance_to(const scene::Sphere& sphere, Vector from, Vector along) {
  const Vector to = {sphere.x - from.x, sphere.y - from.y, sphere.z - from.z};
  const float middle = dot(to, along);
  const float square = sphere.radius * sphere.radius - dot(to, to) + middle * middle;
  if (square < 0.0f) return kFar;
  const float half = sqrtf(square);
  if (middle - half > kNear) return middle - half;
  return middle + half > kNear ? middle + half : kFar;
}

__device__ Vector sky(Vector along) {
  const float t = fminf(fmaxf(along.y * 1.4f, 0.0f), 1.0f);
  return {0.85f - 0.55f * t, 0.90f - 0.40f * t, 1.0f - 0.12f * t};
}

}  // namespace

struct Scene {
  scene::Sphere spheres[scene::kSpheres];
};

extern "C" __global__ void trace(unsigned int* pixels, int width, int height, Scene world) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;

  const Vector light = {scene::kLightX, scene::kLightY, scene::kLightZ};
  Vector from = {scene::kEyeX, scene::kEyeY, scene::kEyeZ};
  Vector along = unit({(column + 0.5f - 0.5f * width) / height,
                       (0.5f * height - row - 0.5f) / height - 0.12f, 0.95f});
  Vector colour = {0.0f, 0.0f, 0.0f};
  float share = 1.0f;

  for (int bounce = 0; bounce <= scene::kMostBounces && share > 0.01f; ++bounce) {
    float nearest = along.y < 0.0f ? -from.y / along.y : kFar;
    if (nearest < kNear) nearest = kFar;
    int hit = nearest < kFar ? scene::kSpheres : -1;  // The floor, or nothing.
    for (int i = 0; i < scene::kSpheres; ++i) {
      const float distance = distance_to(world.spheres[i], from, along);
      if (distance < nearest) {
        nearest = distance;
        hit = i;
      }
    }
    if (hit < 0) {
      colour = colour + sky(along) * share;
      break;
    }

    const Vector point = from + along * nearest;
    Vector normal = {0.0f, 1.0f, 0.0f};
    Vector paint;
    float mirror = 0.12f;
    if (hit == scene::kSpheres) {
      const bool dark = (static_cast<int>(floorf(point.x)) + static_cast<int>(floorf(point.z))) & 1;
      paint = dark ? Vector{0.18f, 0.20f, 0.24f} : Vector{0.82f, 0.80f, 0.76f};
    } else {
      const scene::Sphere& sphere = world.spheres[hit];
      normal = (point - Vector{sphere.x, sphere.y, sphere.z}) * (1.0f / sphere.radius);
      paint = {sphere.red, sphere.green, sphere.blue};
      mirror = sphere.mirror;
    }

    const Vector to_light = unit(light - point);
    float lit = fmaxf(dot(normal, to_light), 0.0f);
    for (int i = 0; i < scene::kSpheres && lit > 0.0f; ++i) {
      if (distance_to(world.spheres[i], point, to_light) < kFar) lit = 0.0f;
    }
    colour = colour + paint * (share * (1.0f - mirror) * (0.22f + 0.78f * lit));
    if (lit > 0.0f && hit < scene::kSpheres) {
      const Vector half_way = unit(to_light - along);
      const float shine = fmaxf(dot(normal, half_way), 0.0f);
      colour = colour + Vector{1.0f, 1.0f, 1.0f} * (share * 0.6f * __powf(shine, 60.0f));
    }
    share *= mirror;
    from = point;
    along = unit(along - normal * (2.0f * dot(along, normal)));
  }

  const auto byte = [](float value) {
    return static_cast<unsigned int>(sqrtf(fminf(fmaxf(value, 0.0f), 1.0f)) * 255.0f + 0.5f);
  };
  pixels[row * width + column] =
      byte(colour.x) | byte(colour.y) << 8 | byte(colour.z) << 16 | 0xff000000u;
}
