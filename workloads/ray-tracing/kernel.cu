// A ray tracer: one thread a pixel. What would be recursion is a loop that carries along how much
// of the pixel's light the present ray brings; the threads of a warp leave it after one to six
// rays.

#include "kernel.h"

using ray_tracing::Ball;
using ray_tracing::Paint;
using ray_tracing::Point;

// All threads of a warp look at the same ball at the same time: what constant memory is made for.
__constant__ ray_tracing::Scene scene;

namespace {

constexpr float kNowhere = 1e15f;
constexpr int kFloor = ray_tracing::kMostBalls;
constexpr int kSky = -1;

__device__ Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ Point operator*(float s, Point a) { return {s * a.x, s * a.y, s * a.z}; }
__device__ float dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ Point unit(Point a) { return rsqrtf(dot(a, a)) * a; }
__device__ Point blend(Point a, Point b, float share_of_b) { return a + share_of_b * (b - a); }

// How far along the ray it enters the ball. Rays never start inside of one.
__device__ float enter(const Ball& ball, Point from, Point along) {
  const Point to_centre = ball.centre - from;
  const float middle = dot(to_centre, along);
  // The way from the centre straight to the ray; squares of whole distances would lose more digits.
  const Point aside = to_centre - middle * along;
  const float inside = ball.radius * ball.radius - dot(aside, aside);
  if (inside <= 0.0f) return kNowhere;
  const float distance = middle - sqrtf(inside);
  return distance > ray_tracing::kNear ? distance : kNowhere;
}

__device__ bool in_shadow(Point point, Point to_light, float reach) {
  for (int i = 0; i < scene.count; ++i) {
    if (enter(scene.balls[i], point, to_light) < reach) return true;
  }
  return false;
}

__device__ Point sky(Point along) {
  const float height = fmaxf(along.y, 0.0f);
  return blend({0.93f, 0.80f, 0.66f}, {0.16f, 0.30f, 0.62f}, fminf(2.2f * height, 1.0f));
}

// The light that a surface scatters itself, without what it mirrors.
__device__ Point scatter(const Paint& paint, Point point, Point normal, Point along) {
  const Point way = scene.light - point;
  const float reach = sqrtf(dot(way, way));
  const Point to_light = (1.0f / reach) * way;
  const float facing = dot(normal, to_light);
  if (facing <= 0.0f || in_shadow(point, to_light, reach)) {
    return ray_tracing::kAmbient * paint.colour;
  }
  Point light = (ray_tracing::kAmbient + (1.0f - ray_tracing::kAmbient) * facing) * paint.colour;
  float gleam = fmaxf(dot(normal, unit(to_light - along)), 0.0f);
  for (int i = 0; i < 6; ++i) gleam *= gleam;  // To the power of 64.
  gleam *= paint.shine;
  return light + Point{gleam, gleam, gleam};
}

__device__ unsigned int byte(float value) {
  return static_cast<unsigned int>(sqrtf(fminf(fmaxf(value, 0.0f), 1.0f)) * 255.0f + 0.5f);
}

}  // namespace

extern "C" __global__ void trace_rays(unsigned int* pixels, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;

  Point from = scene.camera.eye;
  Point along = unit(scene.camera.corner + static_cast<float>(column) * scene.camera.right +
                     static_cast<float>(row) * scene.camera.down);
  Point colour = {0.0f, 0.0f, 0.0f};
  float share = 1.0f;

  for (int bounce = 0; bounce <= ray_tracing::kMostBounces; ++bounce) {
    float nearest = kNowhere;
    int hit = kSky;
    if (along.y < 0.0f) {
      const float distance = -from.y / along.y;
      if (distance > ray_tracing::kNear && distance < nearest) {
        nearest = distance;
        hit = kFloor;
      }
    }
    for (int i = 0; i < scene.count; ++i) {
      const float distance = enter(scene.balls[i], from, along);
      if (distance < nearest) {
        nearest = distance;
        hit = i;
      }
    }
    if (hit == kSky) {
      colour = colour + share * sky(along);
      break;
    }

    const Point point = from + nearest * along;
    Point normal;
    Paint paint;
    if (hit == kFloor) {
      const int tile = static_cast<int>(floorf(point.x / ray_tracing::kTile)) +
                       static_cast<int>(floorf(point.z / ray_tracing::kTile));
      normal = {0.0f, 1.0f, 0.0f};
      paint.colour = tile & 1 ? Point{0.10f, 0.12f, 0.16f} : Point{0.80f, 0.78f, 0.72f};
      paint.mirror = ray_tracing::kFloorMirror;
      paint.shine = 0.0f;
      const float squares = nearest * nearest;
      const float haze = squares / (squares + ray_tracing::kHaze * ray_tracing::kHaze);
      colour = colour + share * haze * sky(along);
      share *= 1.0f - haze;
    } else {
      normal = (1.0f / scene.balls[hit].radius) * (point - scene.balls[hit].centre);
      paint = scene.paints[hit];
    }

    // Surfaces mirror more the flatter the ray comes in (Schlick's approximation).
    const float steep = -dot(along, normal);
    const float flat = fmaxf(1.0f - steep, 0.0f);
    const float squared = flat * flat;
    const float mirror = paint.mirror + (1.0f - paint.mirror) * 0.5f * squared * squared * flat;
    colour = colour + share * (1.0f - mirror) * scatter(paint, point, normal, along);
    share *= mirror;
    if (share < ray_tracing::kLeastShare) break;
    from = point;
    along = unit(along + 2.0f * steep * normal);
  }

  pixels[row * width + column] =
      byte(colour.x) | byte(colour.y) << 8 | byte(colour.z) << 16 | 0xff000000u;
}
