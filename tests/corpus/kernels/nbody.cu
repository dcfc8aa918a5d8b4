// All-pairs gravitation, a tile of bodies at a time in shared memory.
extern "C" __global__ void nbody_step(const float4* positions, float4* next_positions,
                                      float4* velocities, float softening_squared, float dt,
                                      int tiles) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 self = positions[i];
  float3 acceleration = {0.0f, 0.0f, 0.0f};
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = positions[t * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 16
    for (int j = 0; j < blockDim.x; ++j) {
      float4 other = tile[j];
      float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
      float distance_squared = dx * dx + dy * dy + dz * dz + softening_squared;
      float inverse = rsqrtf(distance_squared);
      float scale = other.w * inverse * inverse * inverse;
      acceleration.x += dx * scale;
      acceleration.y += dy * scale;
      acceleration.z += dz * scale;
    }
    __syncthreads();
  }
  float4 velocity = velocities[i];
  velocity.x += acceleration.x * dt;
  velocity.y += acceleration.y * dt;
  velocity.z += acceleration.z * dt;
  velocities[i] = velocity;
  next_positions[i] = make_float4(self.x + velocity.x * dt, self.y + velocity.y * dt,
                                  self.z + velocity.z * dt, self.w);
}
