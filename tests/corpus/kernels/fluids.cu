// Compressible flow on an unstructured mesh: the flux through the faces of each element, five
// conserved quantities, many live values; and a recursive (infinite impulse response) Gaussian.
struct Conserved {
  float density;
  float3 momentum;
  float energy;
};

__constant__ float fluid_gamma = 1.4f;

__device__ inline float pressure(const Conserved& c) {
  float squared = (c.momentum.x * c.momentum.x + c.momentum.y * c.momentum.y +
                   c.momentum.z * c.momentum.z) / c.density;
  return (fluid_gamma - 1.0f) * (c.energy - 0.5f * squared);
}

__device__ inline Conserved load(const float* variables, int i, int n) {
  return {variables[i], make_float3(variables[n + i], variables[2 * n + i], variables[3 * n + i]),
          variables[4 * n + i]};
}

extern "C" __global__ void euler_flux(const int* neighbours, const float* normals,
                                      const float* variables, float* fluxes, int n,
                                      float smoothing) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Conserved own = load(variables, i, n);
  float own_pressure = pressure(own);
  float own_sound = sqrtf(fluid_gamma * own_pressure / own.density);
  float3 own_velocity = make_float3(own.momentum.x / own.density, own.momentum.y / own.density,
                                    own.momentum.z / own.density);
  float own_speed = sqrtf(own_velocity.x * own_velocity.x + own_velocity.y * own_velocity.y +
                          own_velocity.z * own_velocity.z);
  Conserved flux = {0.0f, {0.0f, 0.0f, 0.0f}, 0.0f};
#pragma unroll
  for (int face = 0; face < 4; ++face) {
    int neighbour = neighbours[face * n + i];
    float3 normal = make_float3(normals[(face * 3 + 0) * n + i], normals[(face * 3 + 1) * n + i],
                                normals[(face * 3 + 2) * n + i]);
    float area = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    if (neighbour >= 0) {
      Conserved other = load(variables, neighbour, n);
      float other_pressure = pressure(other);
      float other_sound = sqrtf(fluid_gamma * other_pressure / other.density);
      float3 v = make_float3(other.momentum.x / other.density, other.momentum.y / other.density,
                             other.momentum.z / other.density);
      float other_speed = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
      float artificial = -area * smoothing * 0.5f *
                         (own_speed + other_speed + own_sound + other_sound);
      float own_flow = own_velocity.x * normal.x + own_velocity.y * normal.y +
                       own_velocity.z * normal.z;
      float other_flow = v.x * normal.x + v.y * normal.y + v.z * normal.z;
      float mean_pressure = 0.5f * (own_pressure + other_pressure);
      flux.density += artificial * (own.density - other.density) +
                      0.5f * (own.density * own_flow + other.density * other_flow);
      flux.momentum.x += artificial * (own.momentum.x - other.momentum.x) +
                         0.5f * (own.momentum.x * own_flow + other.momentum.x * other_flow) +
                         mean_pressure * normal.x;
      flux.momentum.y += artificial * (own.momentum.y - other.momentum.y) +
                         0.5f * (own.momentum.y * own_flow + other.momentum.y * other_flow) +
                         mean_pressure * normal.y;
      flux.momentum.z += artificial * (own.momentum.z - other.momentum.z) +
                         0.5f * (own.momentum.z * own_flow + other.momentum.z * other_flow) +
                         mean_pressure * normal.z;
      flux.energy += artificial * (own.energy - other.energy) +
                     0.5f * ((own.energy + own_pressure) * own_flow +
                             (other.energy + other_pressure) * other_flow);
    } else if (neighbour == -1) {  // A wall.
      flux.momentum.x += normal.x * own_pressure;
      flux.momentum.y += normal.y * own_pressure;
      flux.momentum.z += normal.z * own_pressure;
    }
  }
  fluxes[i] = flux.density;
  fluxes[n + i] = flux.momentum.x;
  fluxes[2 * n + i] = flux.momentum.y;
  fluxes[3 * n + i] = flux.momentum.z;
  fluxes[4 * n + i] = flux.energy;
}

// Forward and backward along each column of an image of packed bytes; one thread a column.
extern "C" __global__ void recursive_gaussian(const unsigned* input, unsigned* output, int width,
                                              int height, float a0, float a1, float a2, float a3,
                                              float b1, float b2, float coefp, float coefn) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  auto unpack = [](unsigned c) {
    return make_float4((c & 0xff) / 255.0f, (c >> 8 & 0xff) / 255.0f, (c >> 16 & 0xff) / 255.0f,
                       (c >> 24) / 255.0f);
  };
  auto pack = [](float4 c) {
    return unsigned(__saturatef(fabsf(c.w)) * 255.0f) << 24 |
           unsigned(__saturatef(fabsf(c.z)) * 255.0f) << 16 |
           unsigned(__saturatef(fabsf(c.y)) * 255.0f) << 8 |
           unsigned(__saturatef(fabsf(c.x)) * 255.0f);
  };
  auto step = [](float4 x0, float c0, float4 x1, float c1, float4 y1, float d1, float4 y2,
                 float d2) {
    return make_float4(c0 * x0.x + c1 * x1.x - d1 * y1.x - d2 * y2.x,
                       c0 * x0.y + c1 * x1.y - d1 * y1.y - d2 * y2.y,
                       c0 * x0.z + c1 * x1.z - d1 * y1.z - d2 * y2.z,
                       c0 * x0.w + c1 * x1.w - d1 * y1.w - d2 * y2.w);
  };
  auto scaled = [](float4 v, float s) {
    return make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
  };
  float4 previous = unpack(input[x]);
  float4 y1 = scaled(previous, coefp), y2 = y1;
  for (int y = 0; y < height; ++y) {
    float4 current = unpack(input[y * width + x]);
    float4 value = step(current, a0, previous, a1, y1, b1, y2, b2);
    output[y * width + x] = pack(value);
    previous = current;
    y2 = y1;
    y1 = value;
  }
  float4 next = unpack(input[(height - 1) * width + x]), after = next;
  y1 = scaled(next, coefn);
  y2 = y1;
  for (int y = height - 1; y >= 0; --y) {
    float4 current = unpack(input[y * width + x]);
    float4 value = step(next, a2, after, a3, y1, b1, y2, b2);
    after = next;
    next = current;
    y2 = y1;
    y1 = value;
    float4 forward = unpack(output[y * width + x]);
    output[y * width + x] = pack(make_float4(forward.x + value.x, forward.y + value.y,
                                             forward.z + value.z, forward.w + value.w));
  }
}
