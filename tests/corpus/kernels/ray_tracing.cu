// Rays against spheres with mirror reflections: long divergent loops and many live values.
struct Sphere {
  float3 centre;
  float radius;
  float3 colour;
  float mirror;
};

__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float3 add_scaled(float3 a, float3 b, float s) {
  return make_float3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}
__device__ inline float3 normalised(float3 a) {
  float s = 1.0f / sqrtf(dot(a, a));
  return make_float3(a.x * s, a.y * s, a.z * s);
}

extern "C" __global__ void ray_trace(const Sphere* spheres, int sphere_count, float3* image,
                                     int width, int height, float3 light, int bounces) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float3 origin = {0.0f, 0.0f, -4.0f};
  float3 direction = normalised(make_float3((px + 0.5f) / width * 2.0f - 1.0f,
                                            (py + 0.5f) / height * 2.0f - 1.0f, 1.5f));
  float3 colour = {0.0f, 0.0f, 0.0f};
  float weight = 1.0f;
  for (int bounce = 0; bounce <= bounces; ++bounce) {
    float nearest = 1e30f;
    int hit = -1;
    for (int i = 0; i < sphere_count; ++i) {
      float3 to_origin = add_scaled(origin, spheres[i].centre, -1.0f);
      float b = dot(to_origin, direction);
      float c = dot(to_origin, to_origin) - spheres[i].radius * spheres[i].radius;
      float discriminant = b * b - c;
      if (discriminant < 0.0f) continue;
      float root = sqrtf(discriminant);
      float distance = -b - root;
      if (distance < 1e-3f) distance = -b + root;
      if (distance > 1e-3f && distance < nearest) {
        nearest = distance;
        hit = i;
      }
    }
    if (hit < 0) {
      float sky = 0.5f * (direction.y + 1.0f) * weight;
      colour = add_scaled(colour, make_float3(0.5f, 0.7f, 1.0f), sky);
      break;
    }
    const Sphere& sphere = spheres[hit];
    float3 point = add_scaled(origin, direction, nearest);
    float3 normal = normalised(add_scaled(point, sphere.centre, -1.0f));
    float3 to_light = normalised(add_scaled(light, point, -1.0f));
    float diffuse = fmaxf(dot(normal, to_light), 0.1f);
    colour = add_scaled(colour, sphere.colour, diffuse * weight * (1.0f - sphere.mirror));
    weight *= sphere.mirror;
    if (weight < 0.01f) break;
    direction = add_scaled(direction, normal, -2.0f * dot(direction, normal));
    origin = point;
  }
  image[py * width + px] = colour;
}
